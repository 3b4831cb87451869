import { readFileSync } from 'node:fs';

/** One row of slot-cases.json: instants as text, null for never. */
export interface SlotCase {
  readonly expr: string;
  readonly zone: string;
  readonly after: string;
  readonly next: string | null;
  readonly prev?: string | null;
  readonly note: string;
  readonly robfig?: { readonly next: string | null; readonly prev: string | null };
}

/** One row of grammar-cases.json: `reject` or what the fields hold, in words. */
export interface GrammarCase {
  readonly group: string;
  readonly expr: string;
  readonly kubernetes: string;
}

function read(name: string): string {
  return readFileSync(new URL(`../../../cases/${name}`, import.meta.url), 'utf8');
}

export function slotCases(): readonly SlotCase[] {
  return JSON.parse(read('slot-cases.json')) as readonly SlotCase[];
}

export function grammarCases(): readonly GrammarCase[] {
  return JSON.parse(read('grammar-cases.json')) as readonly GrammarCase[];
}
