import * as l10n from '@vscode/l10n';
import type { PageItem } from '../../src/shared/registryItem';
import { button, element, toolButton } from '../ui/elements';
import type { ItemContext } from './itemContext';

export interface HeaderActions {
  readonly copyId: () => void;
  readonly refresh: () => void;
}

/** Creates the header with the item's name, owner, kind, and actions. */
export function itemHeader(
  item: PageItem,
  { host }: ItemContext,
  { copyId, refresh }: HeaderActions,
  age: HTMLElement,
): HTMLElement {
  const badges = item.badges.map((text) => element('span', { class: 'badge' }, text));
  const isDeprecated = item.deprecated !== undefined;
  return element(
    'header',
    {},
    element(
      'div',
      { class: 'titles' },
      element('h1', { dir: 'auto' }, item.name),
      element('p', { class: 'place', dir: 'auto' }, item.owner),
      element(
        'p',
        { class: 'badges' },
        ...badges,
        isDeprecated
          ? element('span', { class: 'badge warning' }, l10n.t('deprecated'))
          : undefined,
        age,
      ),
    ),
    element(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': l10n.t('Actions') },
      item.canDeploy
        ? button(
            item.isModel ? l10n.t('Use on Machine…') : l10n.t('Deploy to Machine…'),
            () => host.send('deploy', {}),
            {
              focusKey: 'deploy',
              primary: true,
            },
          )
        : undefined,
      tool(l10n.t('Copy ID'), copyId, 'copy id', item.id),
      item.url !== undefined
        ? tool(
            l10n.t('Open Website'),
            () => host.send('openUrl', undefined),
            'open url',
            l10n.t('Open {0}', item.url),
          )
        : undefined,
      tool(l10n.t('Refresh'), refresh, 'refresh'),
    ),
    isDeprecated
      ? element(
          'p',
          { class: 'deprecated', role: 'note', dir: 'auto' },
          l10n.t('Deprecated by its owner: {0}', item.deprecated ?? ''),
        )
      : undefined,
  );
}

function tool(label: string, onPress: () => void, focusKey: string, hint?: string): HTMLElement {
  return toolButton(label, onPress, {
    focusKey,
    class: 'bordered',
    ...(hint !== undefined && { hint }),
  });
}
