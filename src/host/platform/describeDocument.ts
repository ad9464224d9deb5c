import * as vscode from 'vscode';
import type { DocumentSubject } from '../../core/documents/documentAddress';
import type { ResourcePath } from '../../core/documents/resourcePath';

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

/**
 * Returns the names in a document's path: the names of the parents, followed by the name of the
 * resource.
 */
export function pathNames({
  organization,
  machine,
  name,
}: Pick<ResourcePath, 'organization' | 'machine' | 'name'>): string[] {
  const above = [organization, machine].filter((text) => text !== undefined);
  return [...above.filter((text) => text !== name), name];
}
