import type * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import type { RegistryItem } from '../../../core/model/registryItem';
import type { PartTarget } from '../../../core/model/resourceTarget';
import type { Deployed } from '../../../core/modules/deploy/deployedResources';
import { partAddress, showConfig } from '../documents/documentUris';
import { proposeText, rejectInvalidConfig } from '../documents/proposeText';
import { requireRight } from '../permissions/requireRight';
import type { DeployTools } from './deployTools';
import { notifyReviewNeeded, requireDeployed } from './notifyReviewNeeded';

/**
 * Shows the config of a part to which an item will be deployed, and returns its document.
 * @param foreignMessage error message if the item is private to another organization, because the
 *   service wouldn't deliver it to the machine
 * @throws FleetError `permission` if the key can't edit the part, and `invalid` if the item is
 *   foreign or the config has problems
 */
export async function openForDeployment(
  { sessions }: Pick<DeployTools, 'sessions'>,
  { visibility, organizationId }: Pick<RegistryItem, 'visibility' | 'organizationId'>,
  target: PartTarget,
  foreignMessage: string,
): Promise<vscode.TextDocument> {
  await requireRight(sessions.stores(target.connectionId), target, 'administer');
  if (visibility === 'private' && organizationId !== target.organizationId) {
    throw new FleetError('invalid', foreignMessage);
  }
  const document = await showConfig(partAddress(target), { sessions });
  rejectInvalidConfig(document);
  return document;
}

/** Edit of a part's config that deploys a version of an item. */
export interface ProposedDeployment extends Deployed {
  /** Name such as `acme:sonar 1.0.1`. */
  readonly name: string;
  /** Adds resources that use the item to the deployed text; undefined if there are none to add. */
  readonly addDependents: ((deployedText: string) => string) | undefined;
  /** True if the config contains the item without a pinned version. */
  readonly isOpen: boolean;
  /** Message for a config that already contains the version. */
  readonly alreadyDeployedMessage: string;
}

/**
 * Proposes a deployment as an edit that the user reviews and saves, and offers to restart the part
 * after saving. If the config already contains the deployment, offers the restart immediately.
 * @param document the part's config, from {@link openForDeployment}
 * @throws FleetError `invalid` if the config has problems, and `conflict` if the editor is stale
 */
export async function proposeDeployment(
  { sessions, lastPart, restarts }: DeployTools,
  document: vscode.TextDocument,
  target: PartTarget,
  { itemId, name, deploy, addDependents, isOpen, alreadyDeployedMessage }: ProposedDeployment,
): Promise<void> {
  // The user might have edited the config while a prompt was open.
  rejectInvalidConfig(document);
  const before = document.getText();
  const deployed = deploy(before);
  await lastPart.remember(target);
  if (deployed === before && !addDependents && !document.isDirty) {
    const { parts } = sessions.stores(target.connectionId);
    await requireDeployed(target.name, () => parts.get(target.partId, { fresh: true }), deploy);
    await restarts.offer(alreadyDeployedMessage, target);
    return;
  }
  await proposeText(document, addDependents ? addDependents(deployed) : deployed);
  restarts.afterSaving(document, target, { itemId, name, deploy });
  notifyReviewNeeded(document, name, { wasOpen: isOpen && deployed !== before });
}
