import * as vscode from 'vscode';
import type { CommandId } from '../../../manifest/commands';
import type { Hint } from './nodes/listNodes';

/** Returns the text for a hint in an empty list, including the action that a click performs. */
export function formatHint(hint: Hint, canCreate: boolean): string {
  return canCreate ? invitation(hint) : emptiness(hint);
}

function emptiness(hint: Hint): string {
  switch (hint) {
    case 'noOrganizations':
      return vscode.l10n.t('No organizations yet');
    case 'noLocations':
      return vscode.l10n.t('No locations yet');
    case 'noMachines':
      return vscode.l10n.t('No machines yet');
    case 'noneInGroup':
      return vscode.l10n.t('No machines here');
    case 'nothingMatches':
      return vscode.l10n.t('No matches for the filter');
    case 'noParts':
      return vscode.l10n.t('No parts yet');
    case 'noFragments':
      return vscode.l10n.t('No fragments yet');
    case 'noDatasets':
      return vscode.l10n.t('No datasets yet');
    case 'noModules':
      return vscode.l10n.t('No modules yet');
    case 'noOtherItems':
      return vscode.l10n.t('No models or scripts yet');
    case 'noItemMatches':
      return vscode.l10n.t('No matches for the registry filter');
    case 'noVersions':
      return vscode.l10n.t('No versions yet');
    case 'noArchives':
      return vscode.l10n.t('No archives');
    case 'noMembers':
      return vscode.l10n.t('No members yet');
    case 'datasetsHidden':
    case 'membersHidden':
      return vscode.l10n.t('Needs a role on the organization');
    case 'noRoles':
      return vscode.l10n.t('No roles yet');
    case 'noApiKeys':
      return vscode.l10n.t('No API keys yet');
    case 'apiKeysHidden':
      return vscode.l10n.t('Visible only to API keys with the Owner role on the organization');
  }
}

function invitation(hint: Hint): string {
  switch (hint) {
    case 'noOrganizations':
      return vscode.l10n.t('No organizations yet. Create one…');
    case 'noLocations':
      return vscode.l10n.t('No locations yet. Create one…');
    case 'noMachines':
      return vscode.l10n.t('No machines yet. Create one…');
    case 'noParts':
      return vscode.l10n.t('No parts yet. Create one…');
    case 'noFragments':
      return vscode.l10n.t('No fragments yet. Create one…');
    case 'noDatasets':
      return vscode.l10n.t('No datasets yet. Create one…');
    case 'noMembers':
      return vscode.l10n.t('No members yet. Invite one…');
    case 'noRoles':
      return vscode.l10n.t('No roles yet. Assign one…');
    case 'noApiKeys':
      return vscode.l10n.t('No API keys yet. Create one…');
    case 'nothingMatches':
      return vscode.l10n.t('No machines match the filter. Clear filter…');
    case 'noModules':
      return vscode.l10n.t('No modules yet. Create one…');
    case 'noOtherItems':
      return vscode.l10n.t('No models or scripts yet. Upload a script…');
    case 'noItemMatches':
      return vscode.l10n.t('No registry items match the filter. Clear filter…');
    case 'noneInGroup':
      return vscode.l10n.t('No machines here. Group by location…');
    case 'datasetsHidden':
    case 'membersHidden':
      return vscode.l10n.t('You need a role on the organization to view these items. Learn why…');
    case 'apiKeysHidden':
      return vscode.l10n.t(
        'You need the Owner role on the organization to view these items. Learn why…',
      );
    case 'noVersions':
    case 'noArchives':
      return emptiness(hint);
  }
}

export function hintCommand(hint: Hint): CommandId {
  switch (hint) {
    case 'noOrganizations':
      return 'fleetwright.organization.create';
    case 'noLocations':
      return 'fleetwright.location.create';
    case 'noMachines':
      return 'fleetwright.machine.create';
    case 'noParts':
      return 'fleetwright.part.create';
    case 'noFragments':
      return 'fleetwright.fragment.create';
    case 'noDatasets':
      return 'fleetwright.dataset.create';
    case 'noMembers':
      return 'fleetwright.member.invite';
    case 'noRoles':
      return 'fleetwright.role.add';
    case 'noApiKeys':
      return 'fleetwright.apiKey.create';
    case 'nothingMatches':
      return 'fleetwright.fleet.clearFilter';
    case 'noModules':
      return 'fleetwright.module.create';
    case 'noOtherItems':
      return 'fleetwright.trainingScript.upload';
    case 'noItemMatches':
      return 'fleetwright.registry.clearFilter';
    case 'noneInGroup':
      return 'fleetwright.fleet.groupByLocation';
    case 'datasetsHidden':
    case 'membersHidden':
    case 'apiKeysHidden':
      return 'fleetwright.resource.explainPermissions';
    case 'noVersions':
    case 'noArchives':
      return 'fleetwright.connection.switch';
  }
}
