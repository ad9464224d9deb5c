import * as vscode from 'vscode';
import { getNames } from '../../../core/model/resourceName';
import type { FragmentTarget, OrganizationTarget } from '../../../core/model/resourceTarget';
import { confirm, pickOne, promptForName } from '../../platform/prompts/prompts';
import { confirmDeletion } from '../../platform/prompts/confirmDeletion';
import type { FleetTools } from '../../platform/fleetTools';
import { resolveTarget } from '../../platform/prompts/resolveTarget';
import { showStatusMessage } from '../../platform/commands/statusMessage';
import { formatSameVisibility, visibilityRows } from '../../platform/text/visibilityRows';
import {
  getFileName,
  resolveDocumentUri,
  resolvedUri,
  resolvePartAddress,
} from '../../platform/documents/documentUris';

export async function createFragment(
  tools: FleetTools,
  requestedTarget: OrganizationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(
    tools,
    'organization',
    requestedTarget,
    'administer',
  );
  const { connectionId, organizationId } = target;
  const created = await promptForName({
    title: vscode.l10n.t('Create Fragment'),
    prompt: vscode.l10n.t('Name of the new private fragment in "{0}"', target.name),
    siblings: getNames(await stores.fragments.list(organizationId)),
    submit: (name) => stores.fragments.create(organizationId, name),
  });
  await tools.reveal({
    kind: 'fragment',
    connectionId,
    organizationId,
    fragmentId: created.id,
    name: created.name,
  });
}

export async function renameFragment(
  tools: FleetTools,
  requestedTarget: FragmentTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'fragment', requestedTarget, 'administer');
  const { name: current } = await stores.fragments.get(target.fragmentId, { fresh: true });
  await promptForName({
    title: vscode.l10n.t('Rename Fragment'),
    prompt: vscode.l10n.t('New name for the fragment "{0}"', current),
    current,
    siblings: getNames(await stores.fragments.list(target.organizationId)),
    submit: async (name) => {
      await stores.fragments.rename(target.fragmentId, name);
    },
  });
}

export async function deleteFragment(
  tools: FleetTools,
  requestedTarget: FragmentTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'fragment', requestedTarget, 'administer');
  const [fragments, organization] = await Promise.all([
    stores.fragments.list(target.organizationId, { fresh: true }),
    stores.organizations.get(target.organizationId),
  ]);
  const users = fragments.find(({ id }) => id === target.fragmentId)?.partCount ?? 0;
  await confirmDeletion({
    title: vscode.l10n.t('Delete Fragment'),
    name: target.name,
    id: target.fragmentId,
    organization,
    alsoDeleted: [
      vscode.l10n.t('its history'),
      ...(users === 1 ? [vscode.l10n.t('its content in the part that uses it')] : []),
      ...(users > 1 ? [vscode.l10n.t('its content in {0} parts that use it', users)] : []),
    ],
  });
  await stores.fragments.delete({ id: target.fragmentId, organizationId: target.organizationId });
}

/** Changes who can see and use a fragment, without sending its config. */
export async function changeVisibility(
  tools: FleetTools,
  requestedTarget: FragmentTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'fragment', requestedTarget, 'administer');
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

/** Shows a part's resolved config, read-only. */
export async function openResolvedConfig(
  tools: FleetTools,
  argument: object | undefined,
): Promise<void> {
  const config = await resolveDocumentUri(
    tools.sessions,
    await resolvePartAddress(argument, tools),
  );
  const document = await vscode.workspace.openTextDocument(resolvedUri(config));
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Shows a part's editable config next to its resolved config. */
export async function compareResolvedConfig(
  tools: FleetTools,
  argument: object | undefined,
): Promise<void> {
  const config = await resolveDocumentUri(
    tools.sessions,
    await resolvePartAddress(argument, tools),
  );
  const title = vscode.l10n.t('{0}: Config ↔ Resolved Config', getFileName(config));
  const options = { preview: false };
  await vscode.commands.executeCommand('vscode.diff', config, resolvedUri(config), title, options);
}
