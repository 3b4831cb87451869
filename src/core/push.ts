/** One request that tells somebody how a tick went. */
export interface PushRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds from the start to the last byte of the answer. */
  readonly timeoutMs: number;
  /** PEM: whom to trust, and who we are. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

/**
 * No reason holds any part of the URL nor of a header, which may be secrets; what a receiver said in it is as it came, and safe to
 * print only when it is escaped. `late`: something of it may still be under way.
 */
export type PushReply =
  | { readonly state: 'taken' }
  | { readonly state: 'refused' | 'late'; readonly reason: string };
