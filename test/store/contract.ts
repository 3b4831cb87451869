import { describeAnnotate } from '#test/store/contract/annotate.ts';
import { describeCreate } from '#test/store/contract/create.ts';
import { describeDelete } from '#test/store/contract/delete.ts';
import { describeFinalizers } from '#test/store/contract/finalizers.ts';
import type { Harness } from '#test/store/contract/harness.ts';
import { describeLive } from '#test/store/contract/live.ts';
import { describeReading } from '#test/store/contract/reading.ts';
import { describeSpecField } from '#test/store/contract/spec-field.ts';
import { describeStatus } from '#test/store/contract/status.ts';
import { suiteOf } from '#test/store/contract/suite.ts';
import { describeTicks } from '#test/store/contract/ticks.ts';

/** Rules that every store keeps, whatever it is made of. Nothing here knows what a resource version looks like. */
export function describeStoreContract(name: string, harness: Harness): void {
  const suite = suiteOf(name, harness);
  describeReading(suite);
  describeLive(suite);
  describeCreate(suite);
  describeStatus(suite);
  describeAnnotate(suite);
  describeSpecField(suite);
  describeDelete(suite);
  describeFinalizers(suite);
  describeTicks(suite);
}
