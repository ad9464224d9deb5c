import { findSetting, putSetting } from '../store/settings';
import type { StoreAccess } from '../store/store';

/** Stored state of loading the demo fleet. */
export type DemoRecord = { state: 'loading' } | { state: 'loaded'; livePartIds: string[] };

export async function findDemoRecord(access: StoreAccess): Promise<DemoRecord | undefined> {
  const text = await findSetting(access, 'demo_fleet');
  return text === undefined ? undefined : (JSON.parse(text) as DemoRecord);
}

export async function putDemoRecord(access: StoreAccess, record: DemoRecord): Promise<void> {
  await putSetting(access, 'demo_fleet', JSON.stringify(record));
}

/**
 * Returns true if the store contains only the organization and owner key that the first boot
 * creates.
 */
export async function isFleetUntouched(access: StoreAccess): Promise<boolean> {
  const allowed = {
    organizations: 1,
    api_keys: 1,
    locations: 0,
    fragments: 0,
    registry_items: 0,
  };
  for (const [table, limit] of Object.entries(allowed) as [keyof typeof allowed, number][]) {
    const rows = await access
      .selectFrom(table)
      .select('id')
      .limit(limit + 1)
      .execute();
    if (rows.length > limit) {
      return false;
    }
  }
  return true;
}
