import type { ApiServer } from '#test/cluster/support/api-server.ts';

/** What real kubectl printed; a failure says what it was asked and what it answered. */
export async function mustKubectl(
  server: ApiServer,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const { code, stdout, stderr } = await server.kubectl(args, input);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}
