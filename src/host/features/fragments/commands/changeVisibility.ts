import * as vscode from 'vscode';
import type { FragmentTarget } from '../../../../core/model/resourceTarget';
import type { FleetTools } from '../../../platform/fleetTools';
import { pickOne, confirm } from '../../../platform/prompts';
import { resolveTarget } from '../../../platform/resolveTarget';
import { showStatusMessage } from '../../../platform/statusMessage';
import { formatSameVisibility, visibilityRows } from '../../../platform/visibilityRows';

/** Changes who can see and use a fragment, without sending its config. */
export async function changeVisibility(
  tools: FleetTools,
  given: FragmentTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'fragment', given, 'administer');
  const read = () => stores.fragments.get(target.fragmentId, { fresh: true });
  const [before, organization] = await Promise.all([
    read(),
    stores.organizations.get(target.organizationId),
  ]);
  const { visibility } = await pickOne(visibilityRows(before.visibility, organization.name), {
    title: vscode.l10n.t('Change Visibility of "{0}"', before.name),
    placeholder: vscode.l10n.t('Who can see and use it?'),
  });
  // Another user might have changed the visibility while the list was open.
  const fragment = await read();
  if (visibility === fragment.visibility) {
    showStatusMessage(formatSameVisibility(fragment.name, visibility));
    return;
  }
  if (visibility !== 'private') {
    await confirm(
      visibility === 'public'
        ? vscode.l10n.t('Make the fragment "{0}" visible to everyone?', fragment.name)
        : vscode.l10n.t(
            'Make the fragment "{0}" visible to anyone who knows its ID?',
            fragment.name,
          ),
      vscode.l10n.t(
        'The fragment belongs to the organization "{0}". People outside the organization can then read its entire config.',
        organization.name,
      ),
      visibility === 'public'
        ? vscode.l10n.t('Make Public')
        : vscode.l10n.t('Make Public and Unlisted'),
    );
  }
  await stores.fragments.setVisibility(fragment.id, visibility);
}
