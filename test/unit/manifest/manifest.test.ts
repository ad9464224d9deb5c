import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contextValuesOfTree } from '../../../scripts/support/treeContextValues';
import { EVERYTHING, NOTHING } from '../../../src/core/model/permissions';
import { MANIFEST_NAME } from '../../../src/core/modules/manifest/moduleManifest';
import { commands } from '../../../src/manifest/commands';
import type { ContextKey } from '../../../src/manifest/contextKeys';
import { schemes, settings, views, webviews } from '../../../src/manifest/contributions';

const root = join(__dirname, '../../..');

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: string;
      readonly restrictedConfigurations: readonly string[];
    };
    readonly virtualWorkspaces: unknown;
  };
  readonly contributes: {
    readonly menus: Readonly<Record<string, readonly { readonly when?: string }[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string }[] };
    readonly viewsWelcome: readonly {
      readonly view: string;
      readonly contents: string;
      readonly when?: string;
    }[];
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly default: unknown }>>;
    };
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly description: string;
        readonly completionEvents: readonly string[];
      }[];
    }[];
  };
}

/** All context keys; a missing key is a compile error. */
const contextKeys: Readonly<Record<ContextKey, true>> = {
  'fleetwright.agentPermissions': true,
  'fleetwright.configSaved': true,
  'fleetwright.fleetShown': true,
  'fleetwright.queryRan': true,
  'fleetwright.bulk.canRetry': true,
  'fleetwright.bulk.patchInFront': true,
  'fleetwright.bulk.preview': true,
  'fleetwright.bulk.previewInFront': true,
  'fleetwright.connected': true,
  'fleetwright.document.changedElsewhere': true,
  'fleetwright.document.hasHistory': true,
  'fleetwright.document.mergePreview': true,
  'fleetwright.document.readOnly': true,
  'fleetwright.fleet.filtered': true,
  'fleetwright.fleet.grouping': true,
  'fleetwright.localFleetRunning': true,
  'fleetwright.moduleManifests': true,
  'fleetwright.readOnlyConnection': true,
  'fleetwright.readOnlyKey': true,
  'fleetwright.ready': true,
  'fleetwright.registry.filtered': true,
  'fleetwright.reportsRollouts': true,
  'fleetwright.rollout.open': true,
};

const text = readFileSync(join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(text) as Manifest;
const strings = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Readonly<
  Record<string, string>
>;
const { contributes } = manifest;
const knownViews = new Set<string>([views.container, views.fleet, views.rollout]);

function unlocalized(value: string): string {
  return value.replace(/^%(.*)%$/, (_, key: string) => strings[key] ?? '');
}

function commandLinks(markdown: string): readonly string[] {
  return [...markdown.matchAll(/\(command:([\w.]+)/g)].map(([, id]) => id ?? '');
}

/**
 * Returns true if a command exists. VS Code itself creates `fleetwright.fleet.focus` for the view.
 */
function isKnownCommand(id: string): boolean {
  return id in commands || [...knownViews].some((view) => id === `${view}.focus`);
}

/** Returns true if a context expression tests for an active webview panel of the extension. */
function isOwnPanel(expression: string): boolean {
  return Object.values(webviews).some(
    ({ viewType }) => expression === `activeWebviewPanelId == ${viewType}`,
  );
}
/** Words that are lowercase in title case unless they are the first or the last word. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  'a an and as at by for from in into of on or the to with'.split(' '),
);
/** Verbs of commands that open, copy, or switch something without a prompt. */
const NEVER_ASKING: ReadonlySet<string> = new Set(
  'Copy Refresh Reload Retry Start Toggle View'.split(' '),
);
/** Commands that view something which they prompt for, because no menu has it. */
const PROMPTING_VIEWS: ReadonlySet<string> = new Set(['command.app.show']);
/** Commands that only prompt for a confirmation, which is not input. */
const ONLY_CONFIRMED: ReadonlySet<string> = new Set(
  [
    ...['bulk.restart', 'document.restore', 'machine.restart', 'part.markAsMain'],
    ...['part.markForRestart', 'role.remove', 'training.cancel', 'apiKey.rotate'],
    'invite.withdraw',
  ].map((name) => `command.${name}`),
);
/** Verbs of commands that always need input. */
const ALWAYS_ASKING: ReadonlySet<string> = new Set('Assign Invite Move Rename Share'.split(' '));
const titles = Object.entries(strings).filter(([key]) => /^(?:command|submenu)\./.test(key));

describe('package.json', () => {
  it('names only known views', () => {
    const contributed = Object.values(contributes.views).flatMap((list) =>
      list.map(({ id }) => id),
    );
    for (const id of contributed) assert.ok(knownViews.has(id), id);
    for (const { view } of contributes.viewsWelcome) assert.ok(knownViews.has(view), view);
    for (const { id } of contributes.viewsContainers.activitybar) assert.ok(knownViews.has(id), id);
  });

  it('reads only known context keys in welcome views', () => {
    for (const { when = '' } of contributes.viewsWelcome) {
      const withoutValues = when.replace(/(==|!=|=~)\s*(\/.*?\/\w*|[\w.:-]+)/g, '$1');
      for (const [key] of withoutValues.matchAll(/fleetwright\.[\w.]+/g)) {
        assert.ok(key in contextKeys, `${key} in "${when}"`);
      }
    }
  });

  it('links only to known commands in welcome views and walkthroughs', () => {
    const texts = [
      ...contributes.viewsWelcome.map(({ contents }) => contents),
      ...contributes.walkthroughs.flatMap(({ steps }) => steps.map((step) => step.description)),
    ];
    const links = texts.flatMap((value) => commandLinks(unlocalized(value)));
    assert.ok(links.length > 0);
    for (const id of links) assert.ok(isKnownCommand(id), id);
  });

  it('completes walkthrough steps by known events, in at most five steps', () => {
    for (const { steps } of contributes.walkthroughs) {
      assert.ok(steps.length <= 5);
      for (const event of steps.flatMap(({ completionEvents }) => completionEvents)) {
        const [kind, name = ''] = event.split(':');
        if (kind === 'onCommand') assert.ok(isKnownCommand(name), event);
        else if (kind === 'onView') assert.ok(knownViews.has(name), event);
        else if (kind === 'onContext') assert.ok(name in contextKeys || isOwnPanel(name), event);
        else assert.fail(event);
      }
    }
  });

  it('completes walkthrough steps by what their buttons do', () => {
    for (const step of contributes.walkthroughs.flatMap(({ steps }) => steps)) {
      // A context key indicates success, while a command can be canceled.
      if (step.completionEvents.every((event) => event.startsWith('onContext:'))) continue;
      for (const id of commandLinks(unlocalized(step.description))) {
        assert.ok(step.completionEvents.includes(`onCommand:${id}`), id);
      }
    }
  });

  it('matches an existing node in every viewItem expression', () => {
    const values = [...contextValuesOfTree(), ...contextValuesOfTree(EVERYTHING, NOTHING)];
    for (const { when = '' } of Object.values(contributes.menus).flat()) {
      for (const [, source = ''] of when.matchAll(/viewItem =~ \/(.*?)\/(?=[\s)]|$)/g)) {
        const expression = new RegExp(source);
        assert.ok(
          values.some((value) => expression.test(value)),
          `no node matches ${when}`,
        );
      }
    }
  });

  it('gives every setting the default of the manifest module', () => {
    const { properties } = contributes.configuration;
    const known = Object.values(settings);
    assert.deepEqual(Object.keys(properties), known.map(({ key }) => key).toSorted());
    for (const { key, defaultValue } of known) {
      assert.deepEqual(properties[key]?.default, defaultValue, key);
    }
  });

  it('limits settings for keys and processes to trusted workspaces', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    for (const key of restrictedConfigurations) {
      assert.ok(key in contributes.configuration.properties, key);
    }
    assert.notEqual(manifest.capabilities.virtualWorkspaces, undefined);
  });

  it('activates after startup and only by its own views, commands, documents, links, and manifests', () => {
    const own = [
      // Needed to show the connection in the status bar.
      'onStartupFinished',
      'onUri',
      // The depth at which repositories usually have modules, such as modules/arm. Deeper folders
      // are excluded, because packages of other programs contain files with this name.
      ...['', '*/', '*/*/'].map((folders) => `workspaceContains:${folders}${MANIFEST_NAME}`),
      `onFileSystem:${schemes.data}`,
      `onFileSystem:${schemes.document}`,
      `onFileSystem:${schemes.readiness}`,
      `onFileSystem:${schemes.resolved}`,
      ...Object.values(webviews).map(({ viewType }) => `onWebviewPanel:${viewType}`),
    ];
    assert.deepEqual(manifest.activationEvents.toSorted(), own.toSorted());
  });

  it('has a text for every %key%, and uses every text', () => {
    const used = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map(([, key = '']) => key));
    assert.deepEqual([...used].toSorted(), Object.keys(strings).toSorted());
  });

  it('writes titles of commands and submenus in title case', () => {
    for (const [key, title] of titles) {
      const words = title.split(/[\s/-]+/).filter((word) => /^[a-z]/i.test(word));
      const wrong = words.filter((word, index) => {
        const isSmall = SMALL_WORDS.has(word.toLowerCase().replace('…', ''));
        const isInside = index > 0 && index < words.length - 1;
        return isSmall && isInside ? /^[A-Z]/.test(word) : !isSmall && /^[a-z]/.test(word);
      });
      assert.deepEqual(wrong, [], `${key}: ${title}`);
    }
  });

  it('ends titles with an ellipsis only when the command prompts for input first', () => {
    for (const [key, title] of titles) {
      assert.doesNotMatch(title, /\.{2,}|[^\w)]…|….|[.:]$/, key);
      const [verb = ''] = title.split(' ');
      const prompts = ALWAYS_ASKING.has(verb) || PROMPTING_VIEWS.has(key);
      const runsDirectly = !prompts && (NEVER_ASKING.has(verb) || ONLY_CONFIRMED.has(key));
      if (runsDirectly) assert.doesNotMatch(title, /…$/, key);
      if (prompts) assert.match(title, /…$/, key);
    }
  });

  it('names only files that exist', () => {
    const files = [...text.matchAll(/"(?:\.\/)?(media\/[^"]+)"/g)].map(([, file = '']) => file);
    assert.ok(files.length > 0);
    for (const file of files) assert.ok(existsSync(join(root, file)), file);
  });
});
