import * as vscode from 'vscode';
import { toDisplayText } from '../../../core/model/toDisplayText';
import type { FragmentVisibility } from '../../../core/model/entities';
import type { ModuleChange } from '../../../core/modules/update/moduleChanges';
import { formatNames } from '../../platform/formatList';
import { formatVisibility } from '../../platform/registryText';

const MAX_VALUE_LENGTH = 80;

/** Formats a change to a module's registry entry on one line. */
export function describeModuleChange(change: ModuleChange): string {
  if ('added' in change) return describeListChange(change);
  const { field, before, after } = change;
  const name = fieldName(field);
  if (field === 'markdown') {
    return vscode.l10n.t('{0}: {1} lines → {2}', name, countLines(before), countLines(after));
  }
  const [from, to] = [before, after].map((value) => formatValue(field, value));
  return vscode.l10n.t('{0}: {1} → {2}', name, from ?? '', to ?? '');
}

function describeListChange({
  field,
  added,
  removed,
  changed,
}: Extract<ModuleChange, { readonly added: unknown }>): string {
  const parts = [
    ...(added.length > 0 ? [vscode.l10n.t('new: {0}', formatNames(added))] : []),
    ...(changed.length > 0 ? [vscode.l10n.t('changed: {0}', formatNames(changed))] : []),
    ...(removed.length > 0 ? [vscode.l10n.t('removed: {0}', formatNames(removed))] : []),
  ];
  return vscode.l10n.t('{0}: {1}', fieldName(field), parts.join('; '));
}

function fieldName(field: ModuleChange['field']): string {
  switch (field) {
    case 'visibility':
      return vscode.l10n.t('Visibility');
    case 'url':
      return vscode.l10n.t('Website');
    case 'description':
      return vscode.l10n.t('Description');
    case 'entrypoint':
      return vscode.l10n.t('Entrypoint');
    case 'firstRun':
      return vscode.l10n.t('First run');
    case 'markdown':
      return vscode.l10n.t('Long description');
    case 'models':
      return vscode.l10n.t('Models');
    case 'apps':
      return vscode.l10n.t('Apps');
  }
}

function formatValue(field: ModuleChange['field'], value: string): string {
  if (field === 'visibility') return formatVisibility(value as FragmentVisibility);
  return value === ''
    ? vscode.l10n.t('nothing')
    : vscode.l10n.t('"{0}"', toDisplayText(value, MAX_VALUE_LENGTH));
}

function countLines(text: string): number {
  return text === '' ? 0 : text.trimEnd().split('\n').length;
}
