import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** A deep teal, the colour of what can be done. */
const teal: MantineColorsTuple = [
  '#eaf5f4',
  '#d3e8e6',
  '#a6d1cd',
  '#76b9b3',
  '#4ea59d',
  '#349890',
  '#1f7f78',
  '#0f6661',
  '#0b524e',
  '#063d3a',
];
/** A warm ochre, the colour of what waits for somebody. */
const ochre: MantineColorsTuple = [
  '#fdf3e3',
  '#f8e4c6',
  '#efc98d',
  '#e6ac51',
  '#dd9422',
  '#c27c1a',
  '#a96a12',
  '#8a550b',
  '#6d4306',
  '#513103',
];
/** Neutrals with a little warmth, for the dark theme. */
const dark: MantineColorsTuple = [
  '#e9e6e1',
  '#c9c5be',
  '#b8b3ab',
  '#8a857d',
  '#5f5b54',
  '#45423d',
  '#33312d',
  '#282623',
  '#1f1e1b',
  '#161513',
];
const gray: MantineColorsTuple = [
  '#faf9f7',
  '#f3f1ee',
  '#e8e5e0',
  '#dad6d0',
  '#c5c0b8',
  '#a39d94',
  '#5c5750',
  '#534f49',
  '#3b3834',
  '#262421',
];

export const theme = createTheme({
  colors: { teal, ochre, dark, gray },
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // Help stands under the field.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
  },
});
