import { CRDS } from './crd/files.ts';
import { EDITOR_SCHEMAS } from './editor-schema.ts';
import { EXAMPLES } from './examples.ts';
import { type Generated, isFresh, refresh } from './generated.ts';
import { DASHBOARD } from './monitoring/dashboard.ts';
import { PROMETHEUS_RULE } from './monitoring/rules.ts';
import { OWN_RULES } from './own-rules.ts';
import { SCHEMAS } from './schema.ts';

const FILES: readonly Generated[] = [
  ...SCHEMAS,
  ...EDITOR_SCHEMAS,
  ...CRDS,
  OWN_RULES,
  PROMETHEUS_RULE,
  DASHBOARD,
  ...EXAMPLES,
];

/** `npm run gen` makes every generated file anew; with `--check` it only tells which are not what they should be. */
async function main(check: boolean): Promise<number> {
  let stale = 0;
  for (const file of FILES) {
    const changed = check ? !(await isFresh(file)) : await refresh(file);
    if (!changed) continue;
    stale += 1;
    console.log(check ? `${file.path} is stale` : `${file.path} written`);
  }
  if (!check) return 0;
  console.log(
    stale === 0 ? `${FILES.length} generated files are fresh` : 'Run "npm run gen" and look at what changed.',
  );
  return stale === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.includes('--check'));
