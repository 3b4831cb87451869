import type { BundledPackage } from './bundled-packages.ts';

const HEAD = `Parts of the packages below are built into Minutehand, which itself is under the Apache License 2.0 (LICENSE).
Each has the licence that stands behind its name, and the texts that follow it.
`;

function entry({ name, version, license, texts }: BundledPackage): string {
  const title = `${name} ${version} (${license})`;
  return [title, '='.repeat(title.length), '', texts.join('\n\n'), ''].join('\n');
}

/** The licences and notices that go with the built files, whose comments are taken out. */
export function noticesOf(packages: readonly BundledPackage[]): string {
  return [HEAD, ...packages.map(entry)].join('\n\n');
}
