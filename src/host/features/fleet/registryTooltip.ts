import * as vscode from 'vscode';
import { displayName, displayText } from '../../../core/model/displayText';
import { bytesText } from '../../platform/quantityText';
import {
  platformText,
  registryStatusText,
  registryTypeText,
  usersText,
  visibilityText,
} from '../../platform/registryText';
import { factsText, momentText } from './nodeFacts';
import type { ModuleModelNode } from './nodes/moduleModelNode';
import type { RegistryFileNode } from './nodes/registryFileNode';
import type { RegistryItemNode } from './nodes/registryItemNode';
import type { RegistryVersionNode } from './nodes/registryVersionNode';

// Tooltips of registry items and their contents.

export function registryItemTooltip({ item }: RegistryItemNode, now: Date): string {
  const facts = factsText(displayName(item), [
    [vscode.l10n.t('Registry item'), item.id],
    [vscode.l10n.t('Type'), registryTypeText(item.type)],
    [vscode.l10n.t('Visibility'), visibilityText(item.visibility)],
    [vscode.l10n.t('Status'), item.status ? registryStatusText(item.status) : ''],
    [vscode.l10n.t('Newest version'), item.versions[0]?.version ?? ''],
    [vscode.l10n.t('Used by'), usersText(item)],
    [vscode.l10n.t('Entrypoint'), item.entrypoint],
    [vscode.l10n.t('Website'), item.url],
    [vscode.l10n.t('Deprecated'), deprecationText(item.deprecated)],
    [vscode.l10n.t('Changed'), momentText(item.updatedAt, now)],
  ]);
  return item.description === '' ? facts : `${facts}\n\n${displayText(item.description)}`;
}

export function registryVersionTooltip({ version }: RegistryVersionNode, now: Date): string {
  return factsText(displayText(version.version), [
    [
      vscode.l10n.t('Platforms'),
      version.files.map(({ platform }) => platformText(platform)).join(', '),
    ],
    [vscode.l10n.t('Uploaded'), momentText(version.createdAt, now)],
    [vscode.l10n.t('Deprecated'), deprecationText(version.deprecated)],
  ]);
}

export function registryFileTooltip({ file }: RegistryFileNode, now: Date): string {
  return factsText(displayText(platformText(file.platform)), [
    [vscode.l10n.t('Size'), file.sizeBytes === undefined ? '' : bytesText(file.sizeBytes)],
    [vscode.l10n.t('Uploaded'), momentText(file.createdOn, now)],
    ['SHA-256', file.checksum],
  ]);
}

export function moduleModelTooltip({ model }: ModuleModelNode): string {
  const facts = factsText(displayText(model.model), [
    [vscode.l10n.t('API'), model.api],
    [vscode.l10n.t('Hardware'), (model.supportedHardware ?? []).join(', ')],
  ]);
  const { description = '' } = model;
  return description === '' ? facts : `${facts}\n\n${displayText(description)}`;
}

/** An owner can deprecate an item without a message. */
function deprecationText(message: string | undefined): string {
  if (message === undefined) return '';
  return message === '' ? vscode.l10n.t('deprecated by its owner') : message;
}
