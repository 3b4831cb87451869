import * as z from 'zod/mini';

// For kubectl `null` is the same as nothing, everywhere.
const text = z.nullish(z.string());

const Cluster = z.object({
  server: text,
  'certificate-authority': text,
  'certificate-authority-data': text,
  'insecure-skip-tls-verify': z.nullish(z.boolean()),
  'tls-server-name': text,
  'proxy-url': text,
  extensions: z.nullish(z.array(z.object({ name: z.string(), extension: z.optional(z.unknown()) }))),
});

const Exec = z.object({
  apiVersion: text,
  command: text,
  args: z.nullish(z.array(z.string())),
  env: z.nullish(z.array(z.object({ name: z.string(), value: z.string() }))),
  interactiveMode: z.nullish(z.enum(['Never', 'IfAvailable', 'Always'])),
  provideClusterInfo: z.nullish(z.boolean()),
  installHint: text,
});

const AuthProvider = z.object({ name: text, config: z.nullish(z.record(z.string(), z.string())) });

/** Other fields are kept, to tell a user without credentials from one whose credentials are not understood. */
const User = z.looseObject({
  token: text,
  tokenFile: text,
  username: text,
  password: text,
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  as: text,
  exec: z.nullish(Exec),
  'auth-provider': z.nullish(AuthProvider),
});

const Context = z.object({ cluster: text, user: text });

/** What is used of a kubeconfig; the rest passes. Of every entry, as kubectl does, not of the chosen ones alone. */
export const Kubeconfig = z.object({
  clusters: z.nullish(z.array(z.object({ name: z.string(), cluster: z.nullish(Cluster) }))),
  users: z.nullish(z.array(z.object({ name: z.string(), user: z.nullish(User) }))),
  contexts: z.nullish(z.array(z.object({ name: z.string(), context: z.nullish(Context) }))),
  'current-context': text,
});

export type Kubeconfig = z.infer<typeof Kubeconfig>;
export type Cluster = z.infer<typeof Cluster>;
export type User = z.infer<typeof User>;
export type Context = z.infer<typeof Context>;
export type Exec = z.infer<typeof Exec>;
export type AuthProvider = z.infer<typeof AuthProvider>;

type Issue = z.core.$ZodIssue;

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text; quote it if it looks like a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

/** Without the keys of a free mapping: they are the file's own text. */
function placeOf(path: readonly PropertyKey[]): string {
  const free = path.indexOf('config');
  const known = free === -1 ? path : path.slice(0, free + 1);
  return known.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
}

/** What is wrong, without the value that is: it may be a secret. */
export function kubeconfigFault({ path, ...issue }: Issue): string {
  const place = placeOf(path).replace(/^\./, '') || 'it';
  if (issue.code === 'invalid_type') return `${place} must be ${EXPECTED[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value') return `${place} must be one of ${issue.values.map(String).join(', ')}`;
  return `${place} is not what a kubeconfig has there`;
}
