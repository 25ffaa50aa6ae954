import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path of nginx: `NGINX_PATH`, or where Debian installs it. Null if there is none. */
export const nginxPath: string | null =
  [process.env['NGINX_PATH'], '/usr/sbin/nginx'].find(path => path !== undefined && existsSync(path)) ?? null;

/** In which requests from `127.9.0.0/16` state the address of their caller. */
export const statedAddressHeader = 'X-Stated-Address';

/** The proxy of a deployment, with the configuration of `deploy/nginx`. */
export interface Nginx {
  stop(): Promise<void>;
}

export interface NginxOptions {
  /** Of its own: configuration, certificate and temporary files. */
  readonly folder: string;
  /** Where callers reach it: `https:`, `localhost` and a port. */
  readonly publicUrl: string;
  readonly httpPort: number;
  /** The host and port of each API process. */
  readonly apis: readonly string[];
}

export function startNginx({ folder, publicUrl, httpPort, apis }: NginxOptions): Nginx {
  const template = readFileSync('deploy/nginx/council.conf.template', 'utf8');
  const values: Readonly<Record<string, string>> = {
    PUBLIC_URL: publicUrl,
    HTTP_LISTEN: `127.0.0.1:${httpPort}`,
    HTTPS_LISTEN: `127.0.0.1:${new URL(publicUrl).port}`,
    TLS_FOLDER: folder,
    API_SERVERS: apis.map(address => `server ${address};`).join(' '),
  };
  // What is left is a variable of nginx.
  const filled = template.replaceAll(/\$\{(\w+)\}/g, (left, name: string) => values[name] ?? left);
  writeFileSync(join(folder, 'council.conf'), filled);
  writeFileSync(join(folder, 'nginx.conf'), mainConfiguration(folder));
  const child = spawn(nginxPath ?? 'nginx', ['-p', folder, '-e', 'error.log', '-c', 'nginx.conf'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** That of `deploy/nginx`, in this folder and without a user of its own. */
function mainConfiguration(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const replaced: readonly (readonly [string, string])[] = [
    ['user nginx;', process.getuid?.() === 0 ? 'daemon off; user root;' : 'daemon off;'],
    // Otherwise the number of connections would depend on the machine.
    ['worker_processes auto;', 'worker_processes 1;'],
    ['pid /run/nginx.pid;', `pid ${folder}/nginx.pid;`],
    ['error_log /dev/stderr crit;', `error_log ${folder}/error.log crit;`],
    [
      'include /etc/nginx/conf.d/*.conf;',
      [
        ...temporary.map(name => `${name}_temp_path ${folder}/${name};`),
        // So that a test can state an IPv6 address: this machine has one of them.
        `set_real_ip_from 127.9.0.0/16; real_ip_header ${statedAddressHeader};`,
        `include ${folder}/council.conf;`,
      ].join(' '),
    ],
  ];
  return replaced.reduce(
    (text, [of, by]) => {
      if (!text.includes(of)) throw new Error(`nginx.conf no longer has: ${of}`);
      return text.replace(of, by);
    },
    readFileSync('deploy/nginx/nginx.conf', 'utf8'),
  );
}

/**
 * Writes a certificate that signs itself, and its key, as the proxy's configuration names the files.
 * @param names what it is for, as OpenSSL writes it
 */
export function selfSignedCertificate(
  folder: string,
  names = 'DNS:localhost,IP:127.0.0.1',
): { readonly file: string; readonly pem: string; readonly key: string } {
  const file = join(folder, 'fullchain.pem');
  const keyFile = join(folder, 'privkey.pem');
  const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
  const out = ['-keyout', keyFile, '-out', file];
  execFileSync('openssl', ['req', '-x509', '-days', '1', ...subject, ...key, ...out], { stdio: 'pipe' });
  return { file, pem: readFileSync(file, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}
