import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildBundle } from '#test/support/build-bundle.ts';

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
}

/** The schemas that CycloneDX publishes, as its own library carries them. */
const SCHEMAS = join(
  dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json')),
  'res/schema',
);

function readSchema(name: string): object {
  return JSON.parse(readFileSync(join(SCHEMAS, `${name}.SNAPSHOT.schema.json`), 'utf8'));
}

function faultsOf(document: unknown): readonly unknown[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(readSchema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  addFormats.default(ajv);
  ajv.addFormat('iri-reference', (text: string) => URL.canParse(text, 'http://base'));
  const check = ajv.compile(readSchema('bom-1.6'));
  check(document);
  return check.errors ?? [];
}

let folders: readonly string[] = [];

beforeAll(async () => {
  const make = async (): Promise<string> => mkdtemp(join(tmpdir(), 'minutehand-sbom-'));
  folders = [await make(), await make()];
  for (const folder of folders) buildBundle(folder);
}, 60_000);

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

function read(name: string, at = 0): Promise<string> {
  return readFile(join(folders[at] ?? '', name), 'utf8');
}

async function components(): Promise<readonly Component[]> {
  return JSON.parse(await read('sbom.cdx.json')).components;
}

const nameOf = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`);

/** Every package that is installed, by the words of its name and version. */
async function installed(): Promise<
  ReadonlyMap<string, { readonly license: string; readonly integrity: string }>
> {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'));
  const entries = Object.entries<{ version: string; license: string; integrity: string }>(packages);
  return new Map(
    entries.map(([path, one]) => [
      `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${one.version}`,
      one,
    ]),
  );
}

describe('the list of what is built in', () => {
  test('is CycloneDX by its own schema', async () => {
    const document = JSON.parse(await read('sbom.cdx.json'));
    expect(faultsOf(document)).toEqual([]);
    // A schema that takes everything would prove nothing.
    expect(faultsOf({ ...document, bomFormat: 'other' })).not.toEqual([]);
    const [first, ...others] = document.components;
    const unlicensed = { ...first, licenses: [{ license: { id: 'No-Such-License' } }] };
    expect(faultsOf({ ...document, components: [unlicensed, ...others] })).not.toEqual([]);
  });

  test('has each package once, as the lock file has it: version, licence, digest', async () => {
    const all = await components();
    const known = await installed();
    expect(new Set(all.map(({ purl }) => purl)).size).toBe(all.length);
    for (const one of all) {
      const locked = known.get(`${nameOf(one)}@${one.version}`);
      const [license] = one.licenses;
      expect([nameOf(one), license?.license?.id ?? license?.expression]).toEqual([
        nameOf(one),
        locked?.license,
      ]);
      const digest = Buffer.from(one.hashes[0]?.content ?? '', 'hex').toString('base64');
      expect([nameOf(one), `sha512-${digest}`]).toEqual([nameOf(one), locked?.integrity]);
    }
  });

  test('names what the README says is used at run time, and nothing that only builds and tests', async () => {
    const names = new Set((await components()).map(nameOf));
    const [, table = ''] =
      /\n## Dependencies\n([\s\S]*?)\n## /.exec(await readFile('README.md', 'utf8')) ?? [];
    const used = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !names.has(name))).toEqual([]);
    for (const name of ['esbuild', 'vitest', 'typescript', 'fast-check', 'node'])
      expect(names).not.toContain(name);
  });

  test('finds every package that left its mark in the built files', async () => {
    // Words that only the package of that name has, and that no minifier changes.
    const marks: Readonly<Record<string, string>> = {
      luxon: 'Invalid DateTime',
      liquidjs: 'RenderError',
      yaml: 'BLOCK_FOLDED',
      execa: 'maxBuffer',
      'openid-client': 'openid-client',
      undici: 'UND_ERR_CONNECT_TIMEOUT',
      zod: 'ZodMiniObject',
    };
    const names = new Set((await components()).map(nameOf));
    const folder = folders[0] ?? '';
    const files = (await readdir(folder, { recursive: true })).filter((name) => /\.[cm]js$/.test(name));
    const text = (await Promise.all(files.map((name) => read(name)))).join('\n');
    for (const [name, mark] of Object.entries(marks))
      expect([name, text.includes(mark), names.has(name)]).toEqual([name, true, true]);
  });

  test('tells who asks for whom, from the program on, and leaves nothing unreached', async () => {
    const { metadata, dependencies } = JSON.parse(await read('sbom.cdx.json'));
    const edges = new Map<string, readonly string[]>(
      dependencies.map(({ ref, dependsOn }: { ref: string; dependsOn: readonly string[] }) => [
        ref,
        dependsOn,
      ]),
    );
    const reached = new Set<string>();
    const open: string[] = [metadata.component['bom-ref']];
    for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
      if (reached.has(ref)) continue;
      reached.add(ref);
      open.push(...(edges.get(ref) ?? []));
    }
    expect([...edges.keys()].filter((ref) => !reached.has(ref))).toEqual([]);
  });

  test('comes with the licences of all of them', async () => {
    const notices = await read('THIRD-PARTY-NOTICES.txt');
    for (const one of await components()) {
      const title = `${nameOf(one)} ${one.version} (${one.licenses[0]?.license?.id ?? one.licenses[0]?.expression})`;
      const [, body = ''] = notices.split(`\n${title}\n${'='.repeat(title.length)}\n`);
      expect([title, /copyright|apache license|permission/i.test(body.slice(0, 2000))]).toEqual([
        title,
        true,
      ]);
    }
    // The words that MIT and ISC ask to be kept are in the files of the packages.
    expect(notices).toContain(readFileSync('node_modules/zod/LICENSE', 'utf8').trim());
    expect(notices).toContain('Copyright 2014-2021 Christopher Brown.');
  });

  test('is the same, byte for byte, when it is built again', async () => {
    for (const name of ['sbom.cdx.json', 'THIRD-PARTY-NOTICES.txt'])
      expect(await read(name, 0)).toBe(await read(name, 1));
  });
});
