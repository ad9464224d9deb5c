import type { HandlerContext } from '@connectrpc/connect';
import type { RobotPart } from '../../gen/viam/app/v1/machine_pb';
import { RESTART_MARK_HEADER } from '../../core/model/restartMark';
import { may } from '../auth/authorizer';
import { notFound } from '../errors';
import { partMessage } from '../messages/machineMessages';
import { findPart, type PartInLocation } from '../store/parts';
import { restartMark } from '../store/restarts';
import { callerOf, type HandlerDependencies, resourcePathOf } from './handlerSupport';

/**
 * The wire form of parts of the machine that the request is about, as far as the caller may read
 * it: configs and secrets have permissions of their own.
 */
export async function describeParts(
  { store, machineSecrets, now }: HandlerDependencies,
  rows: readonly PartInLocation[],
  context: HandlerContext,
): Promise<RobotPart[]> {
  const principal = callerOf(context);
  const path = resourcePathOf(context);
  const config = may(principal, 'read_robot_config', path);
  const secrets = may(principal, 'read_robot_secret', path)
    ? await machineSecrets.listByOwner(
        store,
        'part',
        rows.map((row) => row.id),
      )
    : undefined;
  const present = now();
  return rows.map((row) =>
    partMessage(row, present, {
      config,
      secrets: secrets === undefined ? undefined : (secrets.get(row.id) ?? []),
    }),
  );
}

/**
 * The wire form of the part that the request is about; a header of the answer tells whether it is marked
 * for restart.
 * @throws NotFound when it was deleted in the meantime.
 */
export async function describePart(
  dependencies: HandlerDependencies,
  id: string,
  context: HandlerContext,
): Promise<RobotPart> {
  const row = await findPart(dependencies.store, id);
  const [part] = row ? await describeParts(dependencies, [row], context) : [];
  if (row === undefined || part === undefined) {
    throw notFound('part', id);
  }
  context.responseHeader.set(RESTART_MARK_HEADER, restartMark(row));
  return part;
}
