import {
  canChange,
  changedElsewhere,
  connected,
  fleetFiltered,
  inDiffEditor,
  inDocument,
  inFragmentConfig,
  inMergePreview,
  inNotebook,
  inPartConfig,
  inQueryFile,
  inReadinessReport,
  inResolvedConfig,
  inRolloutView,
  localFleetRunning,
  onBuildableModule,
  onModuleManifest,
  readOnlyConnection,
  readOnlyDocument,
  registryFiltered,
  reportsRollouts,
  severalSelected,
} from './conditions';
import { schemes } from './contributions';
import {
  group,
  inline,
  item,
  type MenuGroup,
  nodeGroup,
  submenu,
  type SubmenuId,
  titleGroup,
} from './menuGroups';
import { all, any, equals, isSet, matches, not, on } from './whenClauses';

/** VS Code menus to which the extension contributes, and its own submenus. */
type MenuId =
  | SubmenuId
  | 'editor/context'
  | 'editor/title'
  | 'editor/title/run'
  | 'explorer/context'
  | 'file/newFile'
  | 'notebook/toolbar'
  | 'view/item/context'
  | 'view/title';

/**
 * Entries in all menus, from top to bottom. `docs/menus.md` lists the menu for each kind of node.
 */
export const menus: Readonly<Record<MenuId, readonly MenuGroup[]>> = {
  'view/title': [
    titleGroup('navigation', [
      item('fleetwright.resource.find', connected),
      item('fleetwright.fleet.filter', connected),
      item('fleetwright.fleet.clearFilter', fleetFiltered),
      item('fleetwright.fleet.refresh', connected),
    ]),
    group('navigation', [
      item('fleetwright.rollout.refresh', inRolloutView),
      item('fleetwright.rollout.close', inRolloutView),
    ]),
    titleGroup('0_arrange', [submenu('fleetwright.fleet.groupBy', connected)]),
    titleGroup('1_create', [item('fleetwright.organization.create', all(connected, canChange))]),
    titleGroup('2_connection', [
      item('fleetwright.connection.switch'),
      item('fleetwright.connection.signIn'),
      item('fleetwright.connection.signOut', connected),
      item('fleetwright.connection.makeReadOnly', all(connected, canChange)),
      item('fleetwright.connection.allowChanges', all(connected, readOnlyConnection)),
    ]),
    titleGroup('3_localFleet', [
      item('fleetwright.localFleet.start', not(localFleetRunning)),
      item('fleetwright.localFleet.stop', localFleetRunning),
      item('fleetwright.localFleet.showLog'),
    ]),
  ],
  'fleetwright.fleet.groupBy': [
    group('1_group', [
      item('fleetwright.fleet.groupedByLocation', equals('fleetwright.fleet.grouping', 'location')),
      item(
        'fleetwright.fleet.groupByLocation',
        not(equals('fleetwright.fleet.grouping', 'location')),
      ),
      item('fleetwright.fleet.groupedByStatus', equals('fleetwright.fleet.grouping', 'status')),
      item('fleetwright.fleet.groupByStatus', not(equals('fleetwright.fleet.grouping', 'status'))),
      item('fleetwright.fleet.groupedByFragment', equals('fleetwright.fleet.grouping', 'fragment')),
      item(
        'fleetwright.fleet.groupByFragment',
        not(equals('fleetwright.fleet.grouping', 'fragment')),
      ),
    ]),
  ],
  'view/item/context': [
    inline([
      item('fleetwright.location.create', on('organization').with('administer')),
      item('fleetwright.organization.openSettings', on('organization')),
      item('fleetwright.machine.create', on('location').with('administer')),
      item('fleetwright.machine.openConfig', on('machine')),
      item('fleetwright.machine.showLogs', on('machine').with('readLogs')),
      item('fleetwright.part.create', on('machine').with('administer')),
      item('fleetwright.part.openConfig', on('part')),
      item('fleetwright.part.showLogs', on('part').with('readLogs')),
      item('fleetwright.fragment.create', on('fragments').with('administer')),
      item('fleetwright.fragment.openConfig', on('fragment')),
      item('fleetwright.dataset.create', on('datasets').with('administer')),
      item('fleetwright.dataset.showReadiness', on('dataset').with('readData')),
      item('fleetwright.registry.filter', on('modules', 'otherItems').and(not(registryFiltered))),
      item('fleetwright.registry.clearFilter', on('modules', 'otherItems').and(registryFiltered)),
      item('fleetwright.registry.search', on('modules', 'otherItems')),
      item('fleetwright.module.create', on('modules').with('administer')),
      item('fleetwright.registryItem.create', on('otherItems').with('administer')),
      item('fleetwright.registryVersion.download', on('registryVersion', 'registryFile')),
      item('fleetwright.member.invite', on('members').with('administer')),
      item('fleetwright.role.add', on('member', 'apiKey').with('administer')),
      item('fleetwright.invite.resend', on('invite').with('administer')),
      item('fleetwright.role.change', on('role').with('administer')),
      item('fleetwright.apiKey.create', on('apiKeys').with('administer')),
      item('fleetwright.fleet.retry', on('error')),
    ]),
    group('inline', [item('fleetwright.part.openConfig', all(inRolloutView, on('part')))]),
    nodeGroup('1_open', [
      item('fleetwright.organization.openSettings', on('organization')),
      item('fleetwright.machine.openConfig', on('machine')),
      item('fleetwright.machine.showLogs', on('machine').with('readLogs').orSelections()),
      item('fleetwright.part.openConfig', on('part')),
      submenu('fleetwright.node.config', on('part')),
      item('fleetwright.part.showLogs', on('part').with('readLogs').orSelections()),
      item('fleetwright.fragment.openConfig', on('fragment')),
      item('fleetwright.fragment.showHistory', on('fragment')),
      item('fleetwright.fragment.showMachines', on('fragment')),
      item('fleetwright.fragment.showRollout', on('fragment').and(reportsRollouts)),
      item('fleetwright.registry.filter', on('modules', 'otherItems')),
      item('fleetwright.registry.clearFilter', on('modules', 'otherItems').and(registryFiltered)),
      item('fleetwright.registry.search', on('modules', 'otherItems')),
      item('fleetwright.registryItem.show', on('registryItem')),
      item('fleetwright.member.find', on('members')),
      item('fleetwright.member.showOrganizations', on('member')),
    ]),
    nodeGroup('2_data', [
      item(
        'fleetwright.data.browse',
        on('organization', 'location', 'machine', 'part', 'dataset').with('readData'),
      ),
      item('fleetwright.query.open', on('location', 'machine').isNot('noQueries').with('readData')),
      submenu('fleetwright.node.data', on('organization', 'part')),
      item('fleetwright.dataset.showReadiness', on('dataset').with('readData')),
      item('fleetwright.dataset.export', on('dataset').with('readData')),
      item(
        'fleetwright.training.show',
        on('organization', 'dataset').and(on('administer', 'inspect')),
      ),
      item(
        'fleetwright.registryVersion.download',
        on('registryVersion', 'registryFile', 'versioned'),
      ),
    ]),
    nodeGroup('3_create', [
      submenu('fleetwright.node.new', on('organization', 'location', 'machine')),
      submenu('fleetwright.node.deploy', on('machine', 'part')),
      item('fleetwright.fragment.create', on('fragments').with('administer')),
      item('fleetwright.dataset.create', on('datasets').with('administer')),
      item('fleetwright.training.submit', on('dataset').with('administer')),
      item('fleetwright.training.submitCustom', on('dataset').with('administer')),
      item('fleetwright.module.create', on('modules').with('administer')),
      item('fleetwright.registryItem.create', on('otherItems').with('administer')),
      item(
        'fleetwright.module.uploadBuild',
        on('registryItem', 'registryVersion').is('module').with('administer'),
      ),
      item(
        'fleetwright.module.deploy',
        on('registryVersion', 'versioned').is('module').and(canChange),
      ),
      item('fleetwright.training.submit', on('registryItem').is('mlModel').with('administer')),
      item(
        'fleetwright.model.deploy',
        on('registryVersion', 'versioned').is('mlModel').and(canChange),
      ),
      item(
        'fleetwright.training.submitCustom',
        on('registryVersion', 'versioned').is('trainingScript').with('administer'),
      ),
      item(
        'fleetwright.trainingScript.upload',
        on('otherItems', 'trainingScript').isNot('registryFile').with('administer'),
      ),
      item('fleetwright.member.invite', on('members').with('administer')),
      item('fleetwright.apiKey.create', on('apiKeys').with('administer')),
      item('fleetwright.role.add', on('member', 'apiKey').with('administer')),
      item('fleetwright.apiKey.duplicate', on('apiKey').with('administer')),
    ]),
    nodeGroup('4_change', [
      item('fleetwright.organization.rename', on('organization').with('administer')),
      item('fleetwright.organization.openMetadata', on('organization')),
      item('fleetwright.location.rename', on('location').with('administer')),
      item('fleetwright.location.move', on('location').with('administer')),
      item('fleetwright.location.setRegion', on('location').with('administer')),
      item('fleetwright.location.openMetadata', on('location')),
      item('fleetwright.machine.rename', on('machine').with('administer')),
      item('fleetwright.machine.restart', on('machine').with('control')),
      item('fleetwright.machine.openMetadata', on('machine')),
      item('fleetwright.part.rename', on('part').with('administer')),
      item('fleetwright.part.markAsMain', on('part').isNot('main').with('administer')),
      item('fleetwright.part.markForRestart', on('part').with('control')),
      item('fleetwright.fragment.rename', on('fragment').with('administer')),
      item('fleetwright.fragment.changeVisibility', on('fragment').with('administer')),
      item('fleetwright.dataset.rename', on('dataset').with('administer')),
      item('fleetwright.registryItem.changeVisibility', on('registryItem').with('administer')),
      item('fleetwright.registryItem.changeDescription', on('registryItem').with('administer')),
      item('fleetwright.registryItem.changeUrl', on('registryItem').with('administer')),
      item('fleetwright.module.update', on('registryItem').is('module').with('administer')),
      item('fleetwright.invite.change', on('invite').with('administer')),
      item('fleetwright.invite.resend', on('invite').with('administer')),
      item('fleetwright.role.change', on('role').with('administer')),
      item('fleetwright.apiKey.rotate', on('apiKey').with('administer')),
      item(
        'fleetwright.bulk.setMetadata',
        on('organization', 'location', 'machine', 'part')
          .and(any(severalSelected, not(on('machine', 'part'))))
          .with('administer')
          .orSelections(),
      ),
      submenu('fleetwright.node.access', on('organization', 'location', 'machine', 'part')),
      item(
        'fleetwright.resource.explainPermissions',
        on(
          'organization',
          'location',
          'machine',
          'part',
          'fragment',
          'fragments',
          'dataset',
          'datasets',
          'modules',
          'otherItems',
          'registryItem',
          'registryVersion',
          'members',
          'member',
          'invite',
          'role',
          'apiKeys',
          'apiKey',
        ).isNot('administer'),
      ),
    ]),
    nodeGroup('5_copy', [
      submenu('fleetwright.node.copy', on('organization', 'location', 'machine', 'part')),
      item('fleetwright.resource.copyName', on('fragment', 'dataset', 'registryItem', 'apiKey')),
      item('fleetwright.member.copyEmail', on('member', 'invite')),
      item(
        'fleetwright.resource.copyId',
        on('fragment', 'dataset', 'registryItem', 'apiKey', 'member'),
      ),
    ]),
    nodeGroup('6_bulk', [
      item(
        'fleetwright.bulk.apply',
        on('organization', 'location', 'machine', 'part', 'fragment')
          .and(any(severalSelected, not(on('machine', 'part'))))
          .and(on('administer', 'fragment'))
          .and(canChange)
          .orSelections(),
      ),
      item(
        'fleetwright.bulk.restart',
        on('organization', 'location', 'machine', 'part', 'fragment')
          .with('control')
          .inSelections(),
      ),
    ]),
    nodeGroup('9_delete', [
      item('fleetwright.organization.delete', on('organization').with('administer')),
      item('fleetwright.location.delete', on('location').with('administer')),
      item('fleetwright.machine.delete', on('machine').with('administer')),
      item('fleetwright.part.delete', on('part').with('administer')),
      item('fleetwright.fragment.delete', on('fragment').with('administer')),
      item('fleetwright.dataset.delete', on('dataset').with('administer')),
      item('fleetwright.member.remove', on('member').with('administer')),
      item('fleetwright.invite.withdraw', on('invite').with('administer')),
      item('fleetwright.role.remove', on('role').with('administer')),
      item(
        'fleetwright.bulk.delete',
        on('organization', 'location', 'machine', 'part', 'fragment', 'dataset')
          .with('administer')
          .inSelections(),
      ),
      item('fleetwright.registryItem.delete', on('registryItem').with('administer')),
      item('fleetwright.registryVersion.delete', on('registryVersion').with('administer')),
      item('fleetwright.apiKey.delete', on('apiKey').with('administer')),
    ]),
  ],
  'fleetwright.node.config': [
    group('1', [
      item('fleetwright.part.showHistory', on('part')),
      item('fleetwright.part.openResolvedConfig', on('part')),
      item('fleetwright.part.compareResolvedConfig', on('part')),
    ]),
    group('2', [
      item('fleetwright.part.addFragment', on('part').with('administer')),
      item('fleetwright.part.createFragment', on('part').and(canChange)),
    ]),
    group('3', [
      item('fleetwright.part.openMetadata', on('part')),
      item('fleetwright.bulk.setMetadata', on('part').with('administer')),
    ]),
  ],
  'fleetwright.node.data': [
    group('1', [
      item(
        'fleetwright.query.open',
        on('organization', 'part').isNot('noQueries').with('readData'),
      ),
      item('fleetwright.notebook.create', on('organization').with('readData')),
    ]),
    group('2', [
      item('fleetwright.database.show', on('organization').with('readData')),
      item('fleetwright.database.setPassword', on('organization').with('administer')),
      item('fleetwright.data.uploadFiles', on('part').with('writeData')),
      item('fleetwright.data.uploadReadings', on('part').with('writeData')),
    ]),
    group('3', [item('fleetwright.readings.deleteOlder', on('organization').with('writeData'))]),
  ],
  'fleetwright.node.new': [
    group('1', [
      item('fleetwright.location.create', on('organization').with('administer')),
      item('fleetwright.fragment.create', on('organization').with('administer')),
      item('fleetwright.dataset.create', on('organization').with('administer')),
      item('fleetwright.machine.create', on('location').with('administer')),
      item('fleetwright.location.create', on('location').with('administer')),
      item('fleetwright.part.create', on('machine').with('administer')),
    ]),
    group('2', [
      item('fleetwright.member.invite', on('organization').with('administer')),
      item(
        'fleetwright.apiKey.create',
        on('organization', 'location', 'machine').with('administer'),
      ),
    ]),
  ],
  'fleetwright.node.deploy': [
    group('1', [
      item('fleetwright.module.deploy', on('machine', 'part').with('administer')),
      item('fleetwright.model.deploy', on('machine', 'part').with('administer')),
    ]),
    group('2', [item('fleetwright.bulk.apply', on('machine', 'part').with('administer'))]),
  ],
  'fleetwright.node.access': [
    group('1', [
      item('fleetwright.location.openSecrets', on('location').with('readSecrets')),
      item('fleetwright.part.openSecrets', on('part').with('readSecrets')),
      item('fleetwright.part.showConnectPage', on('part').with('readSecrets')),
    ]),
    group('2', [
      item('fleetwright.location.share', on('location').isNot('foreign').with('administer')),
      item('fleetwright.location.unshare', on('location').is('shared').with('administer')),
      item('fleetwright.location.showAccess', on('location')),
    ]),
    group('3', [
      item('fleetwright.resource.showRoles', on('organization', 'location', 'machine')),
      item('fleetwright.machine.showApiKeys', on('machine').and(on('administer', 'inspect'))),
    ]),
  ],
  'fleetwright.node.copy': [
    group('1', [
      item('fleetwright.resource.copyName', on('organization', 'location', 'machine', 'part')),
      item('fleetwright.resource.copyId', on('organization', 'location', 'machine', 'part')),
      item('fleetwright.part.copyFqdn', on('part').is('fqdn')),
      item('fleetwright.part.copyCredentials', on('part').with('readSecrets')),
    ]),
  ],
  'editor/title': [
    group(
      'navigation',
      [
        item('fleetwright.bulk.applyPreview', isSet('fleetwright.bulk.previewInFront')),
        item('fleetwright.bulk.cancelPreview', isSet('fleetwright.bulk.previewInFront')),
      ],
      -2,
    ),
    group('navigation', [
      item('fleetwright.bulk.usePatch', isSet('fleetwright.bulk.patchInFront')),
    ]),
    group('navigation', [
      item(
        'fleetwright.bulk.retryFailed',
        all(equals('resourceScheme', schemes.bulk), isSet('fleetwright.bulk.canRetry')),
      ),
    ]),
    group('navigation', [
      item('fleetwright.document.acceptMerge', inMergePreview),
      item('fleetwright.document.discardMerge', inMergePreview),
    ]),
    group('navigation', [item('fleetwright.dataset.checkAgain', inReadinessReport)]),
    group('navigation', [
      item('fleetwright.document.compare', all(changedElsewhere, not(inDiffEditor))),
      item('fleetwright.document.merge', changedElsewhere),
      item('fleetwright.document.overwrite', changedElsewhere),
      item('fleetwright.document.reload', changedElsewhere),
      item(
        'fleetwright.document.showHistory',
        all(inDocument, isSet('fleetwright.document.hasHistory')),
      ),
      item('fleetwright.part.openResolvedConfig', all(inPartConfig, not(inDiffEditor))),
      item('fleetwright.part.compareResolvedConfig', all(inResolvedConfig, not(inDiffEditor))),
      item('fleetwright.fragment.showMachines', all(inFragmentConfig, not(inDiffEditor))),
      item(
        'fleetwright.fragment.showRollout',
        all(inFragmentConfig, not(inDiffEditor), reportsRollouts),
      ),
      item(
        'fleetwright.resource.explainPermissions',
        all(inDocument, readOnlyDocument, not(inDiffEditor)),
      ),
    ]),
    group('2_fragments', [
      item('fleetwright.part.compareResolvedConfig', all(inPartConfig, not(inDiffEditor))),
      item(
        'fleetwright.part.addFragment',
        all(inPartConfig, not(inDiffEditor), not(readOnlyDocument)),
      ),
      item('fleetwright.part.createFragment', all(inPartConfig, canChange, not(inDiffEditor))),
      item(
        'fleetwright.module.deploy',
        all(inPartConfig, not(inDiffEditor), not(readOnlyDocument)),
      ),
    ]),
  ],
  'editor/title/run': [
    group('navigation', [
      item('fleetwright.queryFile.run', matches('resourceLangId', /^fleet-(sql|mql)$/)),
    ]),
  ],
  'editor/context': [
    group('1_fleetwright', [
      item('fleetwright.document.createFragment', all(inPartConfig, canChange)),
      item('fleetwright.part.addFragment', all(inPartConfig, not(readOnlyDocument))),
      item('fleetwright.resource.explainPermissions', all(inDocument, readOnlyDocument)),
    ]),
    group('1_run', [
      item('fleetwright.queryFile.run', inQueryFile),
      item('fleetwright.queryFile.chooseOrganization', inQueryFile),
    ]),
  ],
  'explorer/context': [
    group('7_fleetwright', [
      item('fleetwright.data.uploadFiles', all(connected, canChange)),
      item(
        'fleetwright.data.uploadReadings',
        all(
          connected,
          canChange,
          matches('resourceExtname', /^\.(csv|tsv|ndjson|jsonl)$/i),
          not(isSet('explorerResourceIsFolder')),
        ),
      ),
      item('fleetwright.module.build', onBuildableModule),
      item('fleetwright.module.uploadBuild', all(onBuildableModule, connected, canChange)),
      item('fleetwright.module.update', all(onModuleManifest, connected, canChange)),
      item('fleetwright.module.deploy', all(onModuleManifest, connected, canChange)),
      item('fleetwright.module.addModel', onBuildableModule),
    ]),
  ],
  'file/newFile': [
    group('file', [item('fleetwright.module.generate')], 0),
    group('notebook', [item('fleetwright.notebook.create')], 0),
  ],
  'notebook/toolbar': [
    group('navigation', [
      item('fleetwright.notebook.chooseOrganization', inNotebook),
      item('fleetwright.notebook.changeParameters', inNotebook),
    ]),
  ],
};
