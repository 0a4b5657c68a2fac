import { scimRoleRules, type ScimConnection } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { RoleRules } from '../identity-providers/RoleRules.tsx';

/** The rules by which the groups of a connection assign roles. */
export function GroupRoles({ connection: { id, name } }: { connection: ScimConnection }) {
  const t = useTranslations('roleRules');
  return (
    <ScrollPane>
      <div style={{ paddingBlockStart: 20 }}>
        <RoleRules
          source={{
            id,
            name,
            endpoints: scimRoleRules,
            lead: t('leadProvisioned', { name }),
            about: ({ known }) => t('seenProvisioned', { count: known }),
          }}
        />
      </div>
    </ScrollPane>
  );
}
