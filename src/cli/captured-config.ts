import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { parseData } from '#source/parse-data.ts';
import type { BudgetFlags, DecisionFlags, SelectionFlags } from './flags.ts';
import type { Io } from './io.ts';

type Flags = Omit<SelectionFlags, 'selector'> &
  Pick<DecisionFlags, 'grace' | 'dst' | 'config'> &
  BudgetFlags & { readonly selector?: string };

/** Without the members that nobody set. */
function set(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const given = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(given);
}

function section(value: Json | undefined, flags: JsonObject): JsonObject | undefined {
  const merged = { ...(isObject(value) ? value : {}), ...flags };
  return Object.keys(merged).length === 0 ? undefined : merged;
}

function namespacesOf(flags: Flags, written: Json | undefined): Json | undefined {
  if (flags['all-namespaces']) return undefined;
  return flags.namespace === undefined ? written : [flags.namespace];
}

/** What a configuration file would have to say for the same settings without any flags. */
export async function capturedConfig(flags: Flags, io: Io): Promise<JsonObject> {
  const path = flags.config;
  const value = path === undefined ? {} : parseData(path, await io.readText(path)).value;
  const {
    namespaces,
    selector,
    defaults,
    budgets,
    retries: _retries,
    // Nothing is decided by it, and its URLs may be secrets.
    telemetry: _telemetry,
    ...rest
  } = isObject(value) ? value : {};
  return {
    ...rest,
    ...set({
      namespaces: namespacesOf(flags, namespaces),
      selector: flags.selector ?? selector,
      defaults: section(
        defaults,
        set({ grace: flags.grace === undefined ? undefined : `${flags.grace}s`, dst: flags.dst }),
      ),
      budgets: section(
        budgets,
        set({
          maxCreates: flags['max-creates'],
          maxCreatesPerLane: flags['max-creates-per-lane'],
          maxDeletes: flags['max-deletes'],
        }),
      ),
    }),
  };
}
