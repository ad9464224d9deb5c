import { toDisplayText } from '../../core/model/toDisplayText';

/** Returns remote text for a quick pick or the status bar, where `$(` would start an icon. */
export function toQuickPickText(text: string): string {
  return escapeIcons(toDisplayText(text));
}

/**
 * Joins the names of a resource's parents, with `›` for outermost first and `‹` for innermost
 * first.
 */
export function quickPath(names: readonly string[], separator: '›' | '‹' = '›'): string {
  return escapeIcons(names.map((name) => toDisplayText(name)).join(` ${separator} `));
}

/** Returns a label with an icon followed by remote text, which can't add icons itself. */
export function iconLabel(icon: string, text: string): string {
  return `$(${icon}) ${escapeIcons(text)}`;
}

/** Escapes text, whose parts are already safe, so that `$(` doesn't start an icon. */
export function escapeIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}
