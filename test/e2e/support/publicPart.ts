import assert from 'node:assert/strict';
import type { connectPublicClient } from '../../publicClient/publicClient';

type AppClient = Awaited<ReturnType<typeof connectPublicClient>>['appClient'];

/** Returns a part of a machine, as the public client sees it. */
export async function findPublicPart(
  app: AppClient,
  organizationId: string,
  path: { readonly location: string; readonly machine: string; readonly part: string },
) {
  const locations = await app.listLocations(organizationId);
  const location = locations.find(({ name }) => name === path.location);
  assert.ok(location, path.location);
  const machine = (await app.listRobots(location.id)).find(({ name }) => name === path.machine);
  assert.ok(machine, path.machine);
  const part = (await app.getRobotParts(machine.id)).find(({ name }) => name === path.part);
  assert.ok(part, path.part);
  return part;
}
