import { pathText } from '#api/issue.ts';
import { checkObjectMeta } from '#api/metadata.ts';
import type { Finding } from '#core/kind.ts';
import type { Metadata } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';

/** What the API refuses in the metadata of any object on creation. */
export function metadataFindings(
  metadata: Metadata,
  { namespaced }: Pick<ResourceType, 'namespaced'>,
): Finding[] {
  const issues = checkObjectMeta(metadata, {
    namespaced,
    // Kinds whose runs add to the name say themselves how long it may be.
    maxNameLength: 253,
    nameRule: 'subdomain',
  });
  return issues.map(({ path, message, fix }) => ({
    code: 'InvalidMetadata',
    severity: 'error',
    path,
    what: `${pathText(path)}: ${message}`,
    ...(fix === undefined ? {} : { fix }),
  }));
}
