#!/bin/sh
# Installs the object stores of `npm run test:s3`: versitygw by Go, s3proxy by Maven into /opt/s3proxy.
set -eu
go install github.com/versity/versitygw/cmd/versitygw@v1.8.0

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/pom.xml" <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tenure</groupId>
  <artifactId>servers</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.gaul</groupId><artifactId>s3proxy</artifactId><version>4.1.0</version></dependency>
    <dependency>
      <groupId>com.fasterxml.jackson.core</groupId><artifactId>jackson-annotations</artifactId><version>2.21</version>
    </dependency>
  </dependencies>
</project>
XML
mvn -q -f "$folder/pom.xml" dependency:copy-dependencies -DoutputDirectory="${S3PROXY_JARS:-/opt/s3proxy}"
