import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import { activeSecrets, formatCloudCredentials } from '../../../../core/model/machineSecret';
import type { PartTarget } from '../../../../core/model/resourceTarget';
import { owningOrganization } from '../../../../core/stores/owningOrganization';
import { formatOwner } from '../../../platform/formatOwner';
import type { FleetTools } from '../../../platform/fleetTools';
import { requireConnection } from '../../../platform/requireConnection';
import { resolveTarget } from '../../../platform/resolveTarget';
import { manageSecrets } from '../manageSecrets';
import { describeRemainingSecrets } from './locationSecrets';

/** Lists the secrets that a part uses to sign in. */
export async function openPartSecrets(
  tools: FleetTools,
  given: PartTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'part', given, 'readSecrets');
  await manageSecrets({
    secrets: stores.secrets,
    owner: { kind: 'part', id: target.partId },
    ownerText: vscode.l10n.t('the part "{0}" of "{1}"', target.name, target.machineName),
    consequence: async (left) => {
      const organization = await owningOrganization(stores, target);
      return [
        formatOwner(organization),
        vscode.l10n.t(
          'The machine "{0}" loses access immediately if this part signs in with it.',
          target.machineName,
        ),
        describeRemainingSecrets(left),
      ].join(' ');
    },
  });
}

/**
 * Copies the credentials that a part's computer needs to connect. They are the content of
 * `/etc/viam.json`.
 */
export async function copyPartCredentials(
  tools: FleetTools,
  given: PartTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'part', given, 'readSecrets');
  const { baseUrl } = requireConnection(tools.sessions, target.connectionId);
  const all = await stores.secrets.list({ kind: 'part', id: target.partId });
  // If there are two secrets, uses the newer one, because the user will probably delete the older
  // one.
  const secret = activeSecrets(all).at(-1)?.secret;
  if (secret === undefined) {
    const message = vscode.l10n.t(
      'The part "{0}" of "{1}" has no secret to sign in with. Create one first with Manage Part Secrets.',
      target.name,
      target.machineName,
    );
    throw new FleetError('notFound', message);
  }
  const text = formatCloudCredentials({ baseUrl, partId: target.partId, secret });
  await vscode.env.clipboard.writeText(text);
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Copied the credentials for "{0}". Save them to /etc/viam.json on the machine.',
      toDisplayText(target.name),
    ),
  );
}
