import type { Agent } from 'node:http';
import type { SecureContextOptions } from 'node:tls';

/** How the server is trusted, and the client shown to it. */
export interface TlsOptions extends Pick<SecureContextOptions, 'ca' | 'cert' | 'key' | 'pfx' | 'passphrase'> {
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

/** Where an API server is, and as whom it is spoken to. */
export interface Connection {
  /** For people: the context and the address. */
  readonly description: string;
  /** Without a slash at its end; may have a path. */
  readonly server: string;
  readonly tls: TlsOptions;
  /** Of a proxy; absent where the server is spoken to directly. */
  readonly agent?: Agent;
  /**
   * Headers that say who asks.
   * @param renew the server refused the last ones: they are read or made anew
   */
  readonly credentials: (renew: boolean) => Promise<Readonly<Record<string, string>>>;
}

/** A kubeconfig or a service account that cannot be used; the message says what to do. */
export class ConnectionError extends Error {}
