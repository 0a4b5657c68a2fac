import { createServer } from 'node:net';
import { join } from 'node:path';
import { usableMemory } from '../../usable-memory.ts';

export type Settings = Record<string, string | number>;

const SOCKET = '.s.PGSQL.5432';
// The socket address holds 108 bytes on Linux and 104 on macOS, including a final zero.
const LONGEST_SOCKET_PATH = process.platform === 'linux' ? 107 : 103;
const MB = 1024 * 1024;

/** The loopback port to use if the path of the socket would be too long. */
export async function choosePort(cluster: string): Promise<number | undefined> {
  return Buffer.byteLength(join(cluster, SOCKET)) > LONGEST_SOCKET_PATH ? freePort() : undefined;
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer().once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/**
 * Settings of the embedded server. They are on its command line, so that no file in DATA_DIR can weaken them.
 * @param memory bytes that the server and the service may use together
 */
export function embeddedSettings(port: number | undefined, memory: number = usableMemory()): Settings {
  return {
    ...(port === undefined ? { listen_addresses: '' } : { listen_addresses: '127.0.0.1', port }),
    unix_socket_directories: port === undefined ? '.' : '',
    unix_socket_permissions: '0700',
    cluster_name: 'tenure',
    ...DURABLE,
    ...SPARSE_LOG,
    ...sizes(memory),
    timezone: 'UTC',
    log_timezone: 'UTC',
    password_encryption: 'scram-sha-256',
  };
}

const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

// Statements and messages of single queries may contain what users typed: the client gets them, the log does not.
const SPARSE_LOG = {
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '',
  log_statement: 'none',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_min_duration_statement: -1,
  log_parameter_max_length: 0,
  log_parameter_max_length_on_error: 0,
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

function sizes(memory: number): Settings {
  const buffers = Math.round(Math.min(Math.max(memory / 8 / MB, 128), 1024));
  return {
    max_connections: 100,
    shared_buffers: `${buffers}MB`,
    effective_cache_size: `${Math.round(Math.max(memory / 2 / MB, 256))}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '128MB',
    max_wal_size: '2GB',
    random_page_cost: 1.1,
    jit: 'off',
  };
}
