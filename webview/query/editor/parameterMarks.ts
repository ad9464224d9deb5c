import { syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';

const parameter = Decoration.mark({ class: 'query-parameter-mark' });

const decorator = new MatchDecorator({
  regexp: /(?<![:\w]):[A-Za-z_]\w*|\{\{\s*[A-Za-z_]\w*\s*\}\}/g,
  decorate: (add, from, to, [found], view) => {
    const around = syntaxTree(view.state).resolveInner(from, 1).name;
    // In strings and comments, only the form with braces is a parameter.
    const isWithin = /string|comment/i.test(around);
    if (!isWithin || (found.startsWith('{') && /string/i.test(around))) add(from, to, parameter);
  },
});

/** Highlights the parameters that will be replaced with values. */
export const parameterMarks: Extension = ViewPlugin.define<{ marks: DecorationSet }>(
  (view) => ({
    marks: decorator.createDeco(view),
    update(update: ViewUpdate) {
      this.marks = decorator.updateDeco(update, this.marks);
    },
  }),
  { decorations: ({ marks }) => marks },
);
