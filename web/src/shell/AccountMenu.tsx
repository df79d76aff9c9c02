import { Avatar, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { me, signOut, tellLanguage } from '../api/session';
import { LANGUAGES, useLanguage, useTexts } from '../i18n';
import { failed } from '../parts/notify';

export function AccountMenu() {
  const t = useTexts();
  const language = useLanguage();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const user = useQuery(me).data?.user;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = async () => {
    try {
      await signOut(queries);
      await navigate({ to: '/sign-in' });
    } catch (error) {
      failed(error);
    }
  };
  const mark = (on: boolean) => (on ? '✓' : ' ');
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton aria-label={t.nav.account}>
          <Avatar size={32} name={user?.name} color="teal" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user?.email}</Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t.nav.language}</Menu.Label>
        {LANGUAGES.map(({ value, name }) => (
          <Menu.Item
            key={value}
            leftSection={mark(language === value)}
            onClick={() => tellLanguage(queries, value).catch(failed)}
            lang={value}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t.nav.theme}</Menu.Label>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            leftSection={mark(colorScheme === scheme)}
            onClick={() => setColorScheme(scheme)}
          >
            {t.nav[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href="/docs/">
          {t.nav.api}
        </Menu.Item>
        <Menu.Item onClick={leave}>{t.nav.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
