import { Anchor, type AnchorProps, Button, type ButtonProps, Paper, type PaperProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Element = Omit<ComponentPropsWithRef<'a'>, 'color' | 'style' | keyof ButtonProps>;

/** What leads somewhere inside, checked against the places that there are. */
export const TextLink = createLink((props: AnchorProps & Element) => <Anchor {...props} />);
export const ButtonLink = createLink((props: ButtonProps & Element) => <Button component="a" {...props} />);
/** A thing in a list, all of which can be pressed. */
export const CardLink = createLink((props: PaperProps & Element) => (
  <Paper component="a" withBorder p="md" td="none" c="inherit" {...props} />
));
