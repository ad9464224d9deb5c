import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { toDisplayText } from '../../../core/model/displayText';
import { type ConnectionId, registryItemId } from '../../../core/model/ids';
import { registryItemTarget, type RegistryVersionTarget } from '../../../core/model/resourceTarget';
import type { TrainingJob } from '../../../core/model/trainingJob';
import type { FleetTools } from '../../platform/fleetTools';
import type { SessionProvider } from '../../platform/sessionProvider';

/**
 * Returns the model version that a job has created. Throws `notFound` if the version was deleted.
 */
export async function madeModel(
  { sessions }: Pick<FleetTools, 'sessions'>,
  connectionId: ConnectionId,
  { organizationId, modelName, modelVersion }: TrainingJob,
): Promise<RegistryVersionTarget> {
  const { registry } = sessions.stores(connectionId);
  const items = await registry.list(organizationId, { fresh: true });
  const item = items.find(({ type, name }) => type === 'mlModel' && name === modelName);
  if (item) return { ...registryItemTarget(connectionId, item), version: modelVersion };
  throw new FleetError(
    'notFound',
    vscode.l10n.t(
      'The model "{0}" no longer exists, or your API key doesn\'t have permission to view it.',
      toDisplayText(modelName),
    ),
  );
}

/** Shows the page for the model that a job created. */
export async function showModel(
  tools: Pick<FleetTools, 'commands' | 'sessions'>,
  connectionId: ConnectionId,
  job: TrainingJob,
): Promise<void> {
  const model = await madeModel(tools, connectionId, job);
  await tools.commands.execute('fleetwright.registryItem.show', model);
}

/** Notifies registry views if a job has created a version of its model. */
export function noticeModel(
  sessions: SessionProvider,
  connectionId: ConnectionId,
  { status, organizationId, modelName }: TrainingJob,
): void {
  if (status !== 'completed' || !sessions.connection(connectionId)) return;
  const id = registryItemId(`${organizationId}:${modelName}`);
  sessions.stores(connectionId).registry.noticeChange({ id, organizationId });
}
