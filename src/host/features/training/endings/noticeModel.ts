import { type ConnectionId, registryItemId } from '../../../../core/model/ids';
import type { TrainingJob } from '../../../../core/model/trainingJob';
import type { SessionProvider } from '../../../platform/sessionProvider';

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
