import type { HandlerContext } from '@connectrpc/connect';
import { type RobotPart, RobotPartSchema } from '../../gen/viam/app/v1/machine_pb';
import { RESTART_MARK_HEADER } from '../../core/model/restartMark';
import { may } from '../auth/authorizer';
import type { ConfigDocument } from '../config/configText';
import { notFound } from '../errors';
import { partMessage } from '../messages/machineMessages';
import { findPart, type PartInLocation } from '../store/parts';
import { restartMark } from '../store/restarts';
import { describeConfigs } from './describeConfigs';
import { getCaller, type HandlerDependencies, getResourcePath } from './handlerSupport';

/**
 * Returns the wire format of the parts of the requested machine. Includes configs and secrets only
 * if the caller can read them. Configs and secrets require separate permissions.
 * @param parsedConfig parsed config, which probably belongs to one of the parts and saves parsing
 *   it again.
 */
export async function describeParts(
  dependencies: HandlerDependencies,
  rows: readonly PartInLocation[],
  context: HandlerContext,
  parsedConfig?: ConfigDocument,
): Promise<RobotPart[]> {
  const { store, machineSecrets, now } = dependencies;
  const principal = getCaller(context);
  const path = getResourcePath(context);
  const config = may(principal, 'read_robot_config', path);
  const secrets = may(principal, 'read_robot_secret', path)
    ? await machineSecrets.listByOwner(
        store,
        'part',
        rows.map((row) => row.id),
      )
    : undefined;
  const present = now();
  return describeConfigs(dependencies, context, rows, {
    getLength: (row) => (config ? row.config_json.length : 0),
    describe: (row) =>
      partMessage(row, present, {
        ...{ config, parsedConfig },
        secrets: secrets === undefined ? undefined : (secrets.get(row.id) ?? []),
      }),
    listStructs: (part) => [[part, RobotPartSchema.field.robotConfig]],
  });
}

/**
 * Returns the wire format of the requested part. A response header reports whether a restart has
 * been requested.
 * @throws NotFound if the part has been deleted.
 */
export async function describePart(
  dependencies: HandlerDependencies,
  id: string,
  context: HandlerContext,
): Promise<RobotPart> {
  const row = await findPart(dependencies.store, id);
  if (row === undefined) throw notFound('part', id);
  return describePartRow(dependencies, row, context);
}

/**
 * Like `describePart`, but for a part that has already been read.
 * @param parsedConfig as for `describeParts`
 */
export async function describePartRow(
  dependencies: HandlerDependencies,
  row: PartInLocation,
  context: HandlerContext,
  parsedConfig?: ConfigDocument,
): Promise<RobotPart> {
  context.responseHeader.set(RESTART_MARK_HEADER, restartMark(row));
  const [part] = await describeParts(dependencies, [row], context, parsedConfig);
  if (part === undefined) throw notFound('part', row.id);
  return part;
}
