/** The companies of the demo, with their departments and numbers of people. */
export type DemoDepartment = { name: string; code: string; people: number; title: string };
export type DemoEntity = {
  name: string;
  code: string;
  country: string;
  timezone: string;
  registration_number: string;
  address: string;
  departments: DemoDepartment[];
};

export const demoEntities: DemoEntity[] = [
  {
    name: 'Northwind Holdings',
    code: 'NWH',
    country: 'GB',
    timezone: 'Europe/London',
    registration_number: '04711882',
    address: '1 Harbour Square, Bristol',
    departments: [
      { name: 'Executive', code: 'EXE', people: 5, title: 'Chief Officer' },
      { name: 'People & Culture', code: 'PPL', people: 9, title: 'People Partner' },
      { name: 'Finance', code: 'FIN', people: 12, title: 'Accountant' },
      { name: 'Engineering', code: 'ENG', people: 28, title: 'Software Engineer' },
      { name: 'Product & Design', code: 'PRD', people: 14, title: 'Product Designer' },
      { name: 'Legal & Compliance', code: 'LEG', people: 5, title: 'Counsel' },
      { name: 'Information Security', code: 'SEC', people: 6, title: 'Security Engineer' },
      { name: 'Internal Communications', code: 'COM', people: 4, title: 'Editor' },
    ],
  },
  {
    name: 'Northwind Retail',
    code: 'NWR',
    country: 'DE',
    timezone: 'Europe/Berlin',
    registration_number: 'HRB 90210',
    address: 'Speicherstraße 12, Hamburg',
    departments: [
      { name: 'Retail Management', code: 'RMG', people: 4, title: 'Area Manager' },
      { name: 'Sales', code: 'SAL', people: 22, title: 'Account Executive' },
      { name: 'Customer Success', code: 'CUS', people: 16, title: 'Success Manager' },
      { name: 'Marketing', code: 'MKT', people: 11, title: 'Campaign Manager' },
      { name: 'Store Hamburg', code: 'SHH', people: 12, title: 'Sales Assistant' },
      { name: 'Store Berlin', code: 'SBE', people: 12, title: 'Sales Assistant' },
      { name: 'Store Munich', code: 'SMU', people: 10, title: 'Sales Assistant' },
      { name: 'Visual Merchandising', code: 'VIS', people: 5, title: 'Merchandiser' },
      { name: 'Purchasing', code: 'PUR', people: 8, title: 'Buyer' },
    ],
  },
  {
    name: 'Northwind Logistics',
    code: 'NWL',
    country: 'ES',
    timezone: 'Europe/Madrid',
    registration_number: 'B-66778899',
    address: 'Calle del Muelle 7, Valencia',
    departments: [
      { name: 'Operations', code: 'OPS', people: 9, title: 'Operations Planner' },
      { name: 'Warehouse', code: 'WAR', people: 24, title: 'Warehouse Associate' },
      { name: 'Fleet', code: 'FLT', people: 14, title: 'Driver' },
      { name: 'Customs', code: 'CST', people: 5, title: 'Customs Agent' },
      { name: 'Quality', code: 'QUA', people: 6, title: 'Quality Inspector' },
      { name: 'Maintenance', code: 'MNT', people: 5, title: 'Technician' },
      { name: 'Health & Safety', code: 'HSE', people: 3, title: 'Safety Officer' },
      { name: 'Accounts Payable', code: 'APY', people: 4, title: 'Clerk' },
    ],
  },
];
