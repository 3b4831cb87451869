import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface KubectlResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Real kubectl with this configuration; what it learns about the server it keeps in the folder, not at home. */
export function runKubectl(
  program: string,
  kubeconfig: string,
  folder: string,
  args: readonly string[],
  input = '',
): Promise<KubectlResult> {
  const child = spawn(program, ['--kubeconfig', kubeconfig, ...args], {
    env: { ...process.env, KUBECACHEDIR: join(folder, 'kubectl'), KUBECTL_KUBERC: 'false' },
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text.stdout += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text.stderr += part;
  });
  // It may end without reading its input, which is no failure of ours.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, ...text }));
  });
}
