import { readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { licenseTexts } from './license-texts.ts';

/** A package of which something is in the files that were built. */
export interface BundledPackage {
  /** Its folder, which is also its key in the lock file. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** An SPDX identifier or expression. */
  readonly license: string;
  /** SHA-512 of what the registry has, as the lock file records it. */
  readonly integrity: string;
  /** Licences and notices as the package has them. */
  readonly texts: readonly string[];
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
}

/** What the lock file says, by folder; the program itself is at the empty one. */
export type LockFile = Readonly<Record<string, LockedPackage & { readonly name?: string }>>;

/** The packages in the built files, and which of them ask for which; the program itself is the empty folder. */
export interface Bundled {
  readonly packages: readonly BundledPackage[];
  readonly imports: ReadonlyMap<string, readonly string[]>;
}

/** As the lock file has it, wherever the folder of all packages really lies. */
const PACKAGE = /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//;

export function readLockFile(): LockFile {
  return JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
}

function byCodeUnit(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The package that a file is of; the program itself has the empty folder. */
function folderOf(path: string): string {
  return PACKAGE.exec(path)?.[1] ?? '';
}

/** Files that were looked at and of which nothing was taken are in nothing. */
function foldersIn(metafiles: readonly Metafile[]): readonly string[] {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap((output) => Object.entries(output.inputs));
  const used = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [folderOf(path)] : []));
  return [...new Set(used)].filter((folder) => folder !== '');
}

function importsIn(metafiles: readonly Metafile[], bundled: ReadonlySet<string>): Bundled['imports'] {
  const found = new Map<string, Set<string>>([...bundled, ''].map((folder) => [folder, new Set()]));
  for (const [path, { imports }] of metafiles.flatMap(({ inputs }) => Object.entries(inputs))) {
    const from = folderOf(path);
    for (const { path: imported } of imports) {
      const to = folderOf(imported);
      if (to !== from && bundled.has(to)) found.get(from)?.add(to);
    }
  }
  return new Map([...found].map(([from, to]) => [from, [...to]]));
}

function packageAt(folder: string, lock: LockFile): BundledPackage {
  const { version, license, integrity } = lock[folder] ?? {};
  if (version === undefined || license === undefined || integrity === undefined)
    throw new Error(`${folder} is bundled, and the lock file lacks its version, licence or integrity`);
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return { folder, name, version, license, integrity, texts: licenseTexts(folder, license) };
}

/** Every package of which something was built in, in the order of their names; one without a licence is refused. */
export function bundledPackages(metafiles: readonly Metafile[], lock: LockFile): Bundled {
  const folders = foldersIn(metafiles);
  const labelOf = ({ name, version }: BundledPackage): string => `${name}@${version}`;
  const packages = folders.map((folder) => packageAt(folder, lock));
  return {
    packages: packages.sort((one, other) => byCodeUnit(labelOf(one), labelOf(other))),
    imports: importsIn(metafiles, new Set(folders)),
  };
}
