/** Given and family names from many languages, for fictional people in demos and benchmarks. */
export const firstNames =
  'Amara Ravi Astrid Kofi Ximena Emeka Thandi Ingrid Omar Lukas Theo Elena Jonas Mei Yuki Hana Ida Noor Lena Jon Aisha Bruno Carla Dmitri Esra Farid Greta Hugo Irina Jamal Kira Leon Maya Nils Olga Pavel Quinn Rosa Sven Tariq Uma Viktor Wanda Xavier Yara Zoe Anders Beatriz Chidi Daria Enzo Fatima Goran Helga Ivan Jia Kwame Liam Marta Nadia Otto Petra Rafael Selma Tomás Ursula Vera Wei Yusuf Zara Adaeze Björn Céline Dávid Eoin Freya Gül Hiro Inés Jürgen'.split(
    ' ',
  );
export const lastNames =
  "Okafor Oliveira Chen Benali Rojas Castro Dlamini Khan Holm Moreau Marín Eze Ito Diaz Berg Aziz Park Reed Silva Novak Kowalski Haddad Lindqvist Nakamura Fischer Rossi Dubois Ivanov Yılmaz Nguyen Singh Patel Kim Larsen Virtanen Horváth Popescu Georgiou Santos Fernández Müller Schmidt Jansen Peeters Murphy O'Brien Campbell Wright Taylor Hughes Mensah Adeyemi Mwangi Tesfaye Abebe Sato Tanaka Suzuki Wang Li Zhang Hussain Ahmed Rahman Bose Iyer Costa Almeida Pereira Vega Morales Herrera Cruz Ortega Lund Dahl Eriksen Björk Kaya Demir Šimić".split(
    ' ',
  );
