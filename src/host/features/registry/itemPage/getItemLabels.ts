import * as vscode from 'vscode';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import type { RegistryItem } from '../../../../core/model/registryItem';
import type { PageFact } from '../../../../shared/registryItem';
import {
  formatModelFramework,
  formatModelTask,
  formatRegistryType,
  formatUsers,
  formatVisibility,
} from '../../../platform/registryText';
import type { ItemLabels } from './pageItem';
import type { OwnedItem } from './itemSession';

/** Returns the localized strings for describing items. */
export function getItemLabels(): ItemLabels {
  return { badges, facts };
}

function badges({ type, visibility, isDraft }: RegistryItem): readonly string[] {
  const draft = isDraft === true ? [vscode.l10n.t('draft')] : [];
  return [formatRegistryType(type), formatVisibility(visibility), ...draft].filter(
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
    toPlainFact(vscode.l10n.t('Organization'), owner ?? ''),
    code(vscode.l10n.t('Namespace'), namespace),
    code(vscode.l10n.t('Organization ID'), owner === undefined ? organizationId : ''),
    code(vscode.l10n.t('Newest version'), newest),
    toPlainFact(vscode.l10n.t('Used by'), formatUsers(item)),
    ...modelFacts(item),
    code(vscode.l10n.t('Entrypoint'), entrypoint),
    code(vscode.l10n.t('First run'), firstRun),
    toPlainFact(vscode.l10n.t('Apps'), apps),
    toPlainFact(vscode.l10n.t('Website'), url),
    toPlainFact(vscode.l10n.t('Changed'), updated ?? ''),
  ];
}

function modelFacts({ modelKind }: RegistryItem): readonly PageFact[] {
  if (!modelKind) return [];
  const { task, framework } = modelKind;
  return [
    toPlainFact(vscode.l10n.t('Task'), formatModelTask(task)),
    toPlainFact(vscode.l10n.t('Framework'), formatModelFramework(framework)),
  ];
}

function toPlainFact(name: string, value: string): PageFact {
  return { name, value: toDisplayText(value), isCode: false };
}

function code(name: string, value: string): PageFact {
  return { ...toPlainFact(name, value), isCode: true };
}
