import type { Bundled, BundledPackage, LockFile } from './bundled-packages.ts';

function purlOf({ name, version }: Pick<BundledPackage, 'name' | 'version'>): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** An identifier of the SPDX list, or an expression of several. */
function licensesOf(license: string): readonly object[] {
  return / (?:AND|OR|WITH) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

function component(one: BundledPackage): object {
  const { name, version, license, integrity } = one;
  const [, scope, own = name] = /^(@[^/]+)\/(.*)$/.exec(name) ?? [];
  return {
    type: 'library',
    'bom-ref': purlOf(one),
    ...(scope === undefined ? {} : { group: scope }),
    name: own,
    version,
    scope: 'required',
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') },
    ],
    licenses: licensesOf(license),
    purl: purlOf(one),
  };
}

/**
 * What is in the built files, as a CycloneDX document. It has no serial number and no time: the same sources give the
 * same bytes.
 */
export function sbomOf({ packages, imports }: Bundled, lock: LockFile): string {
  const { name = '', version = '', license = '' } = lock[''] ?? {};
  const root = purlOf({ name, version });
  const refs = new Map(packages.map((one) => [one.folder, purlOf(one)]));
  const dependsOn = (folder: string): readonly string[] =>
    (imports.get(folder) ?? []).flatMap((one) => refs.get(one) ?? []).sort();
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': root,
        name,
        version,
        licenses: licensesOf(license),
        purl: root,
      },
    },
    components: packages.map(component),
    dependencies: [
      { ref: root, dependsOn: dependsOn('') },
      ...packages.map((one) => ({ ref: purlOf(one), dependsOn: dependsOn(one.folder) })),
    ],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
