import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { JsonObject } from '#core/object/object.ts';
import type { Store } from '#store/port.ts';
import { applyStatus } from './order.ts';
import { TAR_RUN, TarRunSpec, TarRunStatus } from './tar-objects.ts';

function pathIn({ directory = '' }: Readonly<Record<string, string>>, name: string): string {
  return `${directory}/${name}`;
}

async function archive(store: Store, namespace: string, run: string, spec: TarRunSpec): Promise<JsonObject> {
  const { apiGroup: group = '', kind, name } = spec.application;
  const found = await store.find({ group, kind, namespace, name });
  if (found.state !== 'found') throw new Error(`${kind} ${name} is ${found.state}`);
  const bytes = gzipSync(JSON.stringify(found.object.spec));
  const path = pathIn(spec.parameters, `${run}.gz`);
  await writeFile(path, bytes);
  const checksum = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { uri: pathToFileURL(path).href, sizeBytes: bytes.length, checksum };
}

/** The operator of the group: carries out every TarRun that is not done, on files. */
export async function runTar(store: Store, completedAt: string): Promise<void> {
  const listing = await store.list(TAR_RUN);
  if (listing.state !== 'read') throw new Error(`tarruns: ${listing.state}`);
  for (const { object } of listing.objects) {
    if (TarRunStatus.parse(object.status ?? {}).phase !== undefined) continue;
    const { name, namespace = '' } = object.metadata;
    const spec = TarRunSpec.parse(object.spec);
    const { source, parameters, application } = spec;
    if (source === undefined) {
      const artifact = await archive(store, namespace, name, spec);
      await applyStatus(store, TAR_RUN, object, { phase: 'Done', completedAt, artifact });
    } else {
      const content = gunzipSync(await readFile(fileURLToPath(source)));
      await writeFile(pathIn(parameters, `${application.name}.restored`), content);
      await applyStatus(store, TAR_RUN, object, { phase: 'Done', completedAt });
    }
  }
}
