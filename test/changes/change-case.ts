import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod/mini';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { KINDS } from '#kinds/index.ts';
import { metaText } from '#store/directory/meta.ts';
import { stateText } from '#store/directory/state-object.ts';
import { objectPath } from '#store/directory/state-path.ts';
import type { CliResult } from '#test/support/run-cli.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** A change as a file that a person can read: both sides, what ran so far, and what `diff` prints. */
const ChangeCase = z.strictObject({
  about: z.string(),
  now: z.string(),
  args: z.optional(z.array(z.string())),
  base: z.string(),
  head: z.string(),
  /** Objects as the API holds them: schedules with their status, runs. */
  state: z.optional(z.string()),
  /** Admission policies of the user, below the folder `rules`. */
  rules: z.optional(z.string()),
  code: z.int(),
  stderr: z.optional(z.string()),
  want: z.string(),
});
export type ChangeCase = z.infer<typeof ChangeCase>;

const FOLDER = join(import.meta.dirname, 'cases');

const StateObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

export function changeNames(): readonly string[] {
  return readdirSync(FOLDER)
    .map((file) => file.replace(/\.yaml$/, ''))
    .sort();
}

export function loadChange(name: string): ChangeCase {
  return ChangeCase.parse(parse(readFileSync(join(FOLDER, `${name}.yaml`), 'utf8')));
}

function stateFiles(text: string): Record<string, string> {
  const files: Record<string, string> = { 'state/meta.json': metaText(100) };
  for (const document of parseAllDocuments(text)) {
    const { metadata, ...rest } = StateObject.parse(document.toJS());
    const known = { generation: 1, resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z' };
    const object = { ...rest, metadata: { ...known, ...metadata } } as KubeObject;
    // As a tick records what a manifest spells out: without the manifest it is gone.
    const isSchedule = KINDS.some(({ resource }) => resource.kind === object.kind);
    const origin = isSchedule ? 'manifest' : 'store';
    files[`state/${objectPath(keyOf(object))}`] = stateText({ object, origin });
  }
  return files;
}

/** Runs `diff` on both sides as the case says. */
export async function runChange({
  now,
  args = [],
  base,
  head,
  state,
  rules,
}: ChangeCase): Promise<CliResult> {
  const cwd = await temporaryFolder({
    'base/all.yaml': base,
    'head/all.yaml': head,
    'config.yaml': 'cronJob: manage\n',
    ...(rules === undefined ? {} : { 'rules/all.yaml': rules }),
    ...(state === undefined ? {} : stateFiles(state)),
  });
  const statuses = state === undefined ? [] : ['--state', 'state'];
  const argv = ['diff', '-f', 'head', '--base', 'base', '--now', now, ...statuses, ...args];
  return runMinutehand(argv, { cwd });
}
