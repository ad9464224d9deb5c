import { toDisplayText } from '../../core/model/toDisplayText';

/**
 * Formats remote text for a quick pick or the status bar, where `$(` would otherwise start an icon.
 */
export function toQuickPickText(text: string): string {
  return escapeIcons(toDisplayText(text));
}

/**
 * Joins the names of a resource's parents. The separator `›` means outermost first, and `‹` means
 * innermost first.
 */
export function quickPath(names: readonly string[], separator: '›' | '‹' = '›'): string {
  return escapeIcons(names.map((name) => toDisplayText(name)).join(` ${separator} `));
}

/** Returns a label that consists of an icon and remote text. The remote text can't add icons. */
export function iconLabel(icon: string, text: string): string {
  return `$(${icon}) ${escapeIcons(text)}`;
}

/** Escapes `$(`, which would start an icon, in text whose parts are otherwise safe. */
export function escapeIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}
