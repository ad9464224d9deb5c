import * as vscode from 'vscode';
import type { DocumentSubject } from '../../../core/documents/documentAddress';
import type { KeyNames, ResourcePath } from '../../../core/documents/documentResource';
import { toDisplayText } from '../../../core/model/displayText';
import type { Editor } from '../../../core/model/entities';
import { type VersionToken, versionToMilliseconds } from '../../../core/model/timestamp';
import { formatDateTime } from '../text/displayText';

/** Formats the names of a resource and its parents, such as `Acme › rover-07 › main`. */
export function formatBreadcrumb({ organization, machine, name }: ResourcePath): string {
  return pathNames({ organization, machine, name }).join(' › ');
}

/** Formats a document for a confirmation prompt, with its machine and organization. */
export function describeDocument({ type }: DocumentSubject, path: ResourcePath): string {
  const { organization = '?', machine = '?', name } = path;
  switch (type) {
    case 'partConfig':
      return vscode.l10n.t(
        'the config of "{0}" on machine "{1}" in {2}',
        name,
        machine,
        organization,
      );
    case 'fragmentConfig':
      return vscode.l10n.t('the fragment "{0}" in {1}', name, organization);
    case 'organizationMetadata':
      return vscode.l10n.t('the metadata of organization "{0}"', name);
    case 'locationMetadata':
      return vscode.l10n.t('the metadata of location "{0}" in {1}', name, organization);
    case 'machineMetadata':
      return vscode.l10n.t('the metadata of machine "{0}" in {1}', name, organization);
    case 'partMetadata':
      return vscode.l10n.t(
        'the metadata of "{0}" on machine "{1}" in {2}',
        name,
        machine,
        organization,
      );
  }
}

/** Returns the names in a document's path: the parents' names, followed by the resource's name. */
export function pathNames({
  organization,
  machine,
  name,
}: Pick<ResourcePath, 'organization' | 'machine' | 'name'>): string[] {
  const above = [organization, machine].filter((text) => text !== undefined);
  return [...above.filter((text) => text !== name), name];
}

const SHORT_ID_LENGTH = 8;

/** Formats a change's author; empty if the service doesn't report it. */
export function formatEditor(editor: Editor | undefined, keyNames: KeyNames): string {
  if (!editor?.name) return '';
  switch (editor.kind) {
    case 'apiKey': {
      const name = keyNames.get(editor.name) ?? '';
      return name === ''
        ? vscode.l10n.t('API key with ID {0}', shortId(editor.name))
        : vscode.l10n.t('API key "{0}"', toDisplayText(name));
    }
    case 'partSecret':
    case 'locationSecret':
      return vscode.l10n.t('the machine itself');
    default:
      return editor.name;
  }
}

/** Formats a change's time in this computer's time zone. */
export function formatVersionTime(version: VersionToken): string {
  return formatDateTime(new Date(versionToMilliseconds(version)));
}

/** Returns the start of a UUID, which is sufficient to distinguish keys and fits into a message. */
function shortId(id: string): string {
  return id.length > SHORT_ID_LENGTH + 1 ? `${id.slice(0, SHORT_ID_LENGTH)}…` : id;
}
