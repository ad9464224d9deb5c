import * as vscode from 'vscode';
import { displayText } from '../../../../core/model/displayText';
import type { RegistryItem } from '../../../../core/model/registryItem';
import type { PageFact } from '../../../../shared/registryItem';
import {
  modelFrameworkText,
  modelTaskText,
  registryTypeText,
  usersText,
  visibilityText,
} from '../../../platform/registryText';
import type { ItemWords } from './pageItem';
import type { OwnedItem } from './itemSession';

/** Returns the localized strings for describing items. */
export function itemWords(): ItemWords {
  return { badges, facts };
}

function badges({ type, visibility, isDraft }: RegistryItem): readonly string[] {
  const draft = isDraft === true ? [vscode.l10n.t('draft')] : [];
  return [registryTypeText(type), visibilityText(visibility), ...draft].filter(
    (word) => word !== '',
  );
}

function facts({ item, owner }: OwnedItem): readonly PageFact[] {
  const { id, namespace, organizationId, entrypoint, firstRun = '', url, updatedAt } = item;
  const newest = item.versions[0]?.version ?? '';
  const apps = (item.apps ?? []).map(({ name }) => name).join(', ');
  const updated = updatedAt?.toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
  return [
    code(vscode.l10n.t('ID'), id),
    words(vscode.l10n.t('Organization'), owner ?? ''),
    code(vscode.l10n.t('Namespace'), namespace),
    code(vscode.l10n.t('Organization ID'), owner === undefined ? organizationId : ''),
    code(vscode.l10n.t('Newest version'), newest),
    words(vscode.l10n.t('Used by'), usersText(item)),
    ...modelFacts(item),
    code(vscode.l10n.t('Entrypoint'), entrypoint),
    code(vscode.l10n.t('First run'), firstRun),
    words(vscode.l10n.t('Apps'), apps),
    words(vscode.l10n.t('Website'), url),
    words(vscode.l10n.t('Changed'), updated ?? ''),
  ];
}

function modelFacts({ modelKind }: RegistryItem): readonly PageFact[] {
  if (!modelKind) return [];
  const { task, framework } = modelKind;
  return [
    words(vscode.l10n.t('Task'), modelTaskText(task)),
    words(vscode.l10n.t('Framework'), modelFrameworkText(framework)),
  ];
}

function words(name: string, value: string): PageFact {
  return { name, value: displayText(value), isCode: false };
}

function code(name: string, value: string): PageFact {
  return { ...words(name, value), isCode: true };
}
