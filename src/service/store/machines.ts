import { sql } from 'kysely';
import type { Micros } from './micros';
import { EMPTY_OBJECT_JSON } from './organizations';
import type { MachineRow } from './schema';
import type { StoreAccess } from './store';

/** Machine with the most recent contact time from any of its parts. */
export type MachineWithContact = MachineRow & { last_access: Micros | null };

export async function insertMachine(
  access: StoreAccess,
  machine: { id: string; locationId: string; name: string; createdAt: Micros },
): Promise<void> {
  await access
    .insertInto('machines')
    .values({
      id: machine.id,
      location_id: machine.locationId,
      name: machine.name,
      created_at: machine.createdAt,
      metadata: EMPTY_OBJECT_JSON,
    })
    .execute();
}

function selectMachines(access: StoreAccess) {
  return access
    .selectFrom('machines as m')
    .selectAll('m')
    .select(
      sql<Micros | null>`(select max(p.last_access) from parts p where p.machine_id = m.id)`.as(
        'last_access',
      ),
    );
}

export async function findMachine(
  access: StoreAccess,
  id: string,
): Promise<MachineWithContact | undefined> {
  return selectMachines(access).where('m.id', '=', id).executeTakeFirst();
}

/** Returns the machines in a location, oldest first. Uses one query for any number of machines. */
export async function listMachines(
  access: StoreAccess,
  locationId: string,
): Promise<MachineWithContact[]> {
  return selectMachines(access)
    .where('m.location_id', '=', locationId)
    .orderBy('m.created_at')
    .orderBy('m.id')
    .execute();
}

export async function renameMachine(access: StoreAccess, id: string, name: string): Promise<void> {
  await access.updateTable('machines').set({ name }).where('id', '=', id).execute();
}

/**
 * Deletes a machine with its parts, their histories and secrets, and the roles on the machine. Must
 * run in a transaction that then deletes the keys without roles.
 */
export async function deleteMachine(access: StoreAccess, id: string): Promise<void> {
  await access.deleteFrom('machines').where('id', '=', id).execute();
}
