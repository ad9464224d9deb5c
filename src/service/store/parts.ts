import { type Micros, wholeMillis } from './micros';
import { EMPTY_OBJECT_JSON } from './organizations';
import type { PartRow } from './schema';
import { PreparedQuery, type StoreAccess } from './store';

/** Part with its machine's location. */
export type PartInLocation = PartRow & { location_id: string };

export async function insertPart(
  access: StoreAccess,
  part: {
    id: string;
    machineId: string;
    name: string;
    isMain: boolean;
    createdAt: Micros;
    /** Empty by default. */
    configJson?: string;
  },
): Promise<void> {
  await access
    .insertInto('parts')
    .values({
      id: part.id,
      machine_id: part.machineId,
      name: part.name,
      is_main: part.isMain ? 1 : 0,
      config_json: part.configJson ?? EMPTY_OBJECT_JSON,
      created_at: part.createdAt,
      last_updated: wholeMillis(part.createdAt),
      last_access: null,
      restart_requested_at: null,
      metadata: EMPTY_OBJECT_JSON,
    })
    .execute();
}

function selectParts(access: StoreAccess) {
  return access
    .selectFrom('parts as p')
    .innerJoin('machines as m', 'm.id', 'p.machine_id')
    .selectAll('p')
    .select('m.location_id');
}

const partById = new PreparedQuery<PartInLocation>((access, id) =>
  selectParts(access).where('p.id', '=', id),
);

export async function findPart(
  access: StoreAccess,
  id: string,
): Promise<PartInLocation | undefined> {
  return (await partById.execute(access, id))[0];
}

/** Returns a machine's parts: the main part first, then in creation order. */
export async function listParts(access: StoreAccess, machineId: string): Promise<PartInLocation[]> {
  return selectParts(access)
    .where('p.machine_id', '=', machineId)
    .orderBy('p.is_main', 'desc')
    .orderBy('p.created_at')
    .orderBy('p.id')
    .execute();
}

/** Makes a part the only main part of its machine. Must run in a transaction. */
export async function markMain(access: StoreAccess, part: PartRow): Promise<void> {
  await access
    .updateTable('parts')
    .set({ is_main: 0 })
    .where('machine_id', '=', part.machine_id)
    .execute();
  await access.updateTable('parts').set({ is_main: 1 }).where('id', '=', part.id).execute();
}

/**
 * Records that the given parts' machines have connected. Ignores contacts older than the last
 * recorded one.
 * @param precision minimum time between the last recorded contact and the next contact to record.
 */
export async function recordContact(
  access: StoreAccess,
  partIds: readonly string[],
  at: Micros,
  precision = 0,
): Promise<void> {
  if (partIds.length === 0) return;
  await access
    .updateTable('parts')
    .set({ last_access: at })
    .where('id', 'in', partIds)
    .where((where) =>
      where.or([where('last_access', 'is', null), where('last_access', '<', at - precision)]),
    )
    .execute();
}

/** Deletes a part with its history and secrets. */
export async function deletePart(access: StoreAccess, id: string): Promise<void> {
  await access.deleteFrom('parts').where('id', '=', id).execute();
}
