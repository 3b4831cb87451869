import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Assets, Binary } from './support/assets.ts';
import { BINARIES, kubernetesVersion, missingReason, readAssets } from './support/assets.ts';

const MODULES: Readonly<Record<Binary, { readonly folder: string; readonly package: string }>> = {
  etcd: { folder: 'etcd', package: 'go.etcd.io/etcd/server/v3' },
  'kube-apiserver': { folder: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  kubectl: { folder: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kubectl' },
  'kube-controller-manager': {
    folder: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kube-controller-manager',
  },
  'kube-state-metrics': { folder: 'kube-state-metrics', package: 'k8s.io/kube-state-metrics/v2' },
};

/** Which tests go without them. */
const EXTRAS: Readonly<Partial<Record<Binary, string>>> = {
  'kube-controller-manager': 'beside the built-in controllers',
  'kube-state-metrics': 'of the metrics of objects',
};

const ENVIRONMENT = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-trimpath' };
const LAST_LINES = 20;

class SetupFailure extends Error {}

function moduleFolder(folder: string): string {
  return fileURLToPath(new URL(`./setup/${folder}`, import.meta.url));
}

function linkerFlags(folder: string): string {
  if (folder !== 'kubernetes') return '-s -w';
  const version = kubernetesVersion();
  const [major, minor] = version.split('.');
  const base = 'k8s.io/component-base/version';
  return [
    '-s -w',
    `-X ${base}.gitVersion=v${version}`,
    `-X ${base}.gitMajor=${major}`,
    `-X ${base}.gitMinor=${minor}`,
    `-X k8s.io/client-go/pkg/version.gitVersion=v${version}`,
  ].join(' ');
}

/** Asked inside the module, so that a Go that fetches the right toolchain by itself counts as the right one. */
function checkGo(folder: string): void {
  const cwd = moduleFolder(folder);
  const needed = /^go (\d+)\.(\d+)/m.exec(readFileSync(`${cwd}/go.mod`, 'utf8'));
  const want = `Go ${needed?.[1]}.${needed?.[2]} or newer`;
  const advice =
    `Install ${want} (https://go.dev/dl) and put it into PATH, ` +
    'or set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver and kubectl.';
  const go = spawnSync('go', ['env', 'GOVERSION'], { cwd, env: ENVIRONMENT, encoding: 'utf8' });
  if (go.error !== undefined) throw new SetupFailure(`No Go was found (${go.error.message}). ${advice}`);
  const found = /^go(\d+)\.(\d+)/.exec(go.stdout);
  const [major, minor] = [Number(found?.[1]), Number(found?.[2])];
  const isEnough =
    major > Number(needed?.[1]) || (major === Number(needed?.[1]) && minor >= Number(needed?.[2]));
  if (go.status !== 0 || !isEnough) {
    throw new SetupFailure(`Go is too old: ${(go.stdout + go.stderr).trim()}. ${advice}`);
  }
}

/** @returns the last lines of what the build said, where it failed */
async function goBuild(binary: Binary, output: string): Promise<string | undefined> {
  const { folder, package: name } = MODULES[binary];
  const build = spawn('go', ['build', '-p', '2', '-ldflags', linkerFlags(folder), '-o', output, name], {
    cwd: moduleFolder(folder),
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const hear = (text: Buffer) => {
    said = (said + text.toString()).split('\n').slice(-LAST_LINES).join('\n');
  };
  build.stdout.on('data', hear);
  build.stderr.on('data', hear);
  const end = await new Promise<number | string | null>((resolve) => {
    build.on('error', (error) => resolve(error.message));
    build.on('close', (code, signal) => resolve(code ?? signal));
  });
  return end === 0 ? undefined : `${said.trim()}\ngo build ended with ${end}`;
}

async function buildInto(assets: Assets, binary: Binary): Promise<void> {
  mkdirSync(assets.folder, { recursive: true });
  // Under its own name only when it is whole: a build that was killed leaves nothing that looks like a binary.
  const unfinished = `${assets.path(binary)}.${process.pid}.unfinished`;
  try {
    const failure = await goBuild(binary, unfinished);
    if (failure !== undefined) throw new SetupFailure(`${binary} could not be built:\n${failure}`);
    renameSync(unfinished, assets.path(binary));
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function report(binary: Binary, text: string): void {
  console.log(`${binary.padEnd(24)} ${text}`);
}

function reportGiven(assets: Assets): void {
  for (const binary of BINARIES) {
    report(binary, assets.has.has(binary) ? assets.path(binary) : 'MISSING');
  }
  for (const binary of BINARIES) {
    const skipped = EXTRAS[binary];
    if (skipped !== undefined && !assets.has.has(binary)) {
      console.log(`Tests ${skipped} are skipped without ${binary}.`);
    }
  }
  const reason = missingReason(assets);
  if (reason !== undefined) {
    throw new SetupFailure(
      `There is ${reason}. Add what is missing, or unset KUBEBUILDER_ASSETS to build it.`,
    );
  }
}

/** An extra that cannot be built is no reason to go without all the others. */
async function built(assets: Assets, binary: Binary): Promise<string> {
  const start = performance.now();
  try {
    await buildInto(assets, binary);
  } catch (error) {
    const skipped = EXTRAS[binary];
    if (skipped === undefined || !(error instanceof SetupFailure)) throw error;
    return `MISSING, so tests ${skipped} are skipped: ${error.message}`;
  }
  return `${assets.path(binary)} (built in ${Math.round((performance.now() - start) / 1000)} s)`;
}

async function buildMissing(assets: Assets): Promise<void> {
  const missing = BINARIES.filter((binary) => !assets.has.has(binary));
  for (const folder of new Set(missing.map((binary) => MODULES[binary].folder))) checkGo(folder);
  if (missing.length > 0) {
    console.error(`Building ${missing.join(', ')}: up to 25 minutes on two cores, once.`);
  }
  for (const binary of BINARIES) {
    report(binary, assets.has.has(binary) ? assets.path(binary) : await built(assets, binary));
  }
}

try {
  const assets = readAssets();
  if (assets.given) reportGiven(assets);
  else await buildMissing(assets);
} catch (error) {
  if (!(error instanceof SetupFailure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
