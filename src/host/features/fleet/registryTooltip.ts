import * as vscode from 'vscode';
import { displayName, toDisplayText } from '../../../core/model/toDisplayText';
import { formatBytes } from '../../platform/quantityText';
import {
  formatPlatform,
  formatRegistryStatus,
  formatRegistryType,
  formatUsers,
  formatVisibility,
} from '../../platform/registryText';
import { formatFacts, formatTime } from './nodeFacts';
import type { ModuleModelNode } from './nodes/moduleModelNode';
import type { RegistryFileNode } from './nodes/registryFileNode';
import type { RegistryItemNode } from './nodes/registryItemNode';
import type { RegistryVersionNode } from './nodes/registryVersionNode';

// Tooltips of registry items and their contents.

export function registryItemTooltip({ item }: RegistryItemNode, now: Date): string {
  const facts = formatFacts(displayName(item), [
    [vscode.l10n.t('Registry item'), item.id],
    [vscode.l10n.t('Type'), formatRegistryType(item.type)],
    [vscode.l10n.t('Visibility'), formatVisibility(item.visibility)],
    [vscode.l10n.t('Status'), item.status ? formatRegistryStatus(item.status) : ''],
    [vscode.l10n.t('Newest version'), item.versions[0]?.version ?? ''],
    [vscode.l10n.t('Used by'), formatUsers(item)],
    [vscode.l10n.t('Entrypoint'), item.entrypoint],
    [vscode.l10n.t('Website'), item.url],
    [vscode.l10n.t('Deprecated'), formatDeprecation(item.deprecated)],
    [vscode.l10n.t('Changed'), formatTime(item.updatedAt, now)],
  ]);
  return item.description === '' ? facts : `${facts}\n\n${toDisplayText(item.description)}`;
}

export function registryVersionTooltip({ version }: RegistryVersionNode, now: Date): string {
  return formatFacts(toDisplayText(version.version), [
    [
      vscode.l10n.t('Platforms'),
      version.files.map(({ platform }) => formatPlatform(platform)).join(', '),
    ],
    [vscode.l10n.t('Uploaded'), formatTime(version.createdAt, now)],
    [vscode.l10n.t('Deprecated'), formatDeprecation(version.deprecated)],
  ]);
}

export function registryFileTooltip({ file }: RegistryFileNode, now: Date): string {
  return formatFacts(toDisplayText(formatPlatform(file.platform)), [
    [vscode.l10n.t('Size'), file.sizeBytes === undefined ? '' : formatBytes(file.sizeBytes)],
    [vscode.l10n.t('Uploaded'), formatTime(file.createdOn, now)],
    ['SHA-256', file.checksum],
  ]);
}

export function moduleModelTooltip({ model }: ModuleModelNode): string {
  const facts = formatFacts(toDisplayText(model.model), [
    [vscode.l10n.t('API'), model.api],
    [vscode.l10n.t('Hardware'), (model.supportedHardware ?? []).join(', ')],
  ]);
  const { description = '' } = model;
  return description === '' ? facts : `${facts}\n\n${toDisplayText(description)}`;
}

/** Formats a deprecation, which need not have a message from the owner. */
function formatDeprecation(message: string | undefined): string {
  if (message === undefined) return '';
  return message === '' ? vscode.l10n.t('deprecated by its owner') : message;
}
