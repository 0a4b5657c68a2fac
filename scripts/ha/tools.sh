#!/bin/sh
# Installs what `npm run test:ha` needs and Debian 12 lacks: Patroni 4.1 and an etcd from 3.5.13 on. docs/ha.md has the reasons.
set -eu
/usr/bin/python3 -m venv /opt/patroni
/opt/patroni/bin/pip install -q 'patroni[etcd3]>=4.1,<5' psycopg2-binary

version=v3.6.16
name=etcd-$version-linux-$(dpkg --print-architecture)
source=https://github.com/etcd-io/etcd/releases/download/$version
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
curl -fsSLO "$source/$name.tar.gz"
curl -fsSLO "$source/SHA256SUMS"
grep " $name.tar.gz\$" SHA256SUMS | sha256sum -c -
tar -xf "$name.tar.gz"
install "$name/etcd" "$name/etcdctl" /usr/local/bin
