import { VERSION } from './version-number.ts';

/** What runs here; the time zone data decide slots as much as the program does. */
export interface Runtime {
  readonly node: string;
  readonly timeZoneData: string;
  readonly platform: string;
}

export function versionText({ node, timeZoneData, platform }: Runtime): string {
  return `minutehand ${VERSION} (Node ${node}, time zone data ${timeZoneData}, ${platform})\n`;
}
